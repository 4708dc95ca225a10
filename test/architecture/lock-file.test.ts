import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<
    Record<
      string,
      { readonly version?: string; readonly resolved?: string; readonly hasInstallScript?: boolean }
    >
  >;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

test('the lock file has a version for every package, those of other platforms included', () => {
  // npm leaves some out when it adds to an existing lock; `npm install --package-lock-only` from nothing mends that.
  expect(packages.filter(([, { version }]) => version === undefined).map(([path]) => path)).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
});

test('the lock file names no registry', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test('no package runs anything when it is installed, and the one that reports installations is told not to', () => {
  const text = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
  expect(text('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  expect(JSON.parse(text('package.json'))).toMatchObject({ scarfSettings: { enabled: false } });
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  expect(scripted).toContain('node_modules/@scarf/scarf');
});
