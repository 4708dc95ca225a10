import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

/** DuckDB stands apart: nobody who does not ask in SQL installs or loads it. */

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const { dependencies } = JSON.parse(read('extras/sql/package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const lock = JSON.parse(read('extras/sql/package-lock.json')) as {
  readonly packages: Readonly<
    Record<
      string,
      { readonly integrity?: string; readonly resolved?: string; readonly hasInstallScript?: boolean }
    >
  >;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

test('one file knows DuckDB, and no package of the project depends on it', () => {
  const users = globSync(['src/**/*.ts', 'projections/**/*.ts'], { cwd: root }).filter((file) =>
    read(file).includes("'@duckdb/"),
  );
  expect(users).toEqual(['src/analysis/duckdb/module.ts']);
  expect(read('package-lock.json')).not.toContain('duckdb');
});

test('its lock file has exact versions and digests, names no registry, and nothing in it runs when it is installed', () => {
  expect(Object.values(dependencies).filter((version) => !/^\d/.test(version))).toEqual([]);
  expect(packages.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  expect(read('extras/sql/.npmrc')).toBe(read('.npmrc'));
});

test('it has the native library of every platform that the project runs on', () => {
  const names = packages.map(([path]) => path.replace(/^.*node-bindings-/, ''));
  expect(names).toEqual(
    expect.arrayContaining(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']),
  );
});
