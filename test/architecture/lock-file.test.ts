import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  /** Of a workspace: `resolved` is its folder. */
  readonly link?: boolean;
}

const packages = Object.entries(lock.packages).filter(
  ([path, { link = false }]) => path.includes('node_modules/') && !link,
);

test('the lock file has a version for every package, those of other platforms included', () => {
  // npm leaves some out when it adds to an existing lock; `npm install --package-lock-only` from nothing mends that.
  expect(packages.filter(([, { version }]) => version === undefined).map(([path]) => path)).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
});

test('the lock file names no registry', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});
