import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Of a workspace: `resolved` is its folder. */
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const packages = Object.entries(lock.packages).filter(
  ([path, { link = false }]) => path.includes('node_modules/') && !link,
);

test('the lock file has a version for every package, those of other platforms included', () => {
  // npm leaves some out when it adds to an existing lock; `npm install --package-lock-only` from nothing mends that.
  expect(packages.filter(([, { version }]) => version === undefined).map(([path]) => path)).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
});

test('the lock file has the digest of every package, so that a changed one is not installed', () => {
  const withoutDigest = packages.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
  expect(withoutDigest.map(([path]) => path)).toEqual([]);
});

test('at most 150 packages run in production', () => {
  const inProduction = packages.filter(([, { dev = false }]) => !dev);
  expect(inProduction.length).toBeLessThanOrEqual(150);
});

test('the lock file names no registry', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
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

test('no package runs anything when it is installed', () => {
  expect(readFileSync(join(import.meta.dirname, '../../.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});
