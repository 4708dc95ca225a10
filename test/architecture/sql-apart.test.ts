import { expect, test } from 'vitest';

import { packagesIn } from '../support/lock-file.ts';
import { readFile, sourcesWhere } from '../support/sources.ts';

/** DuckDB stands apart: nobody who does not ask in SQL installs or loads it. */

test('one file knows DuckDB, and no package of the project depends on it', () => {
  expect(sourcesWhere((text) => text.includes("'@duckdb/"))).toEqual(['src/analysis/duckdb/load-module.ts']);
  expect(readFile('package-lock.json')).not.toContain('duckdb');
});

test('it is asked for by exact versions, and has the native library of every platform that the project runs on', () => {
  const { dependencies } = JSON.parse(readFile('extras/sql/package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(Object.values(dependencies).filter((version) => !/^\d/.test(version))).toEqual([]);
  const names = packagesIn('extras/sql').map(([path]) => path.replace(/^.*node-bindings-/, ''));
  expect(names).toEqual(
    expect.arrayContaining(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']),
  );
});
