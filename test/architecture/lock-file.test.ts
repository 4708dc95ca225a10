import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { packagesIn } from '../support/lock-file.ts';

const root = join(import.meta.dirname, '../..');

/** DuckDB stands apart, with a lock file of its own. */
describe.each(['.', 'extras/sql'])('the lock file in %s', (folder) => {
  const packages = packagesIn(folder);
  const pathsOf = (some: typeof packages) => some.map(([path]) => path);

  test('has a version for every package, those of other platforms included', () => {
    // npm leaves some out when it adds to an existing lock; `npm install --package-lock-only` from nothing mends that.
    expect(pathsOf(packages.filter(([, { version }]) => version === undefined))).toEqual([]);
    expect(packages.length).toBeGreaterThan(5);
  });

  test('has the digest of every package, so that a changed one is not installed', () => {
    const withoutDigest = packages.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
    expect(pathsOf(withoutDigest)).toEqual([]);
  });

  test('names no registry', () => {
    expect(pathsOf(packages.filter(([, { resolved }]) => resolved !== undefined))).toEqual([]);
  });

  test('lets no package run anything when it is installed', () => {
    expect(readFileSync(join(root, folder, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });
});

const packages = packagesIn('.');

test('at most 150 packages run in production', () => {
  const inProduction = packages.filter(([, { dev = false }]) => !dev);
  expect(inProduction.length).toBeLessThanOrEqual(150);
});

test('paths are matched by a path-to-regexp that no path can make slow', () => {
  const versions = packages
    .filter(([path]) => path.endsWith('/path-to-regexp'))
    .map(([, one]) => one.version);
  expect(versions.length).toBeGreaterThan(0);
  // 8.4.0 is the first one without known backtracking.
  for (const version of versions)
    expect(String(version).localeCompare('8.4.0', 'en', { numeric: true })).not.toBe(-1);
});
