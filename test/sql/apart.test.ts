import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openAnalysed } from '../support/analysts.ts';
import { temporaryFolder } from '../support/folder.ts';
import { install } from '../support/process.ts';
import { forAllTests } from '../support/for-each-test.ts';

/** What DuckDB does not stop by itself: each query has a process of its own. */

/** One value of one row, which DuckDB computes without looking up. */
const TOO_LARGE = `SELECT length(lpad('x', 2000000000, 'y'))`;
/** Minutes of it, in little memory. */
const SLOW = `SELECT levenshtein(repeat('ab', 400000), repeat('ba', 400000))`;

const temporary = temporaryFolder();
const analysed = forAllTests(openAnalysed);
const catalog = forAllTests(() => install({ ...analysed.env, TMPDIR: temporary }));

const left = () => readdirSync(temporary).filter((name) => name.startsWith('catalog-sql-'));

test('a query that takes too much memory is ended, and says so', async () => {
  const { code, stdout, stderr } = await catalog.catalog(['query', TOO_LARGE, '--json']);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, error: { code: 'failed' } });
  expect(stderr).toMatch(/^catalog: SQL: this takes more than 1\.5 GB of memory, and was ended\. .+\n$/);
  expect(left()).toEqual([]);
});

test('a query and its temporary files are gone at the second Ctrl-C, whatever it does', async () => {
  const running = catalog.start(['query', SLOW]);
  // DuckDB’s own folder, in the one that is removed: from now on it computes.
  const own = (): boolean => left().some((name) => readdirSync(join(temporary, name)).length > 0);
  await expect.poll(own, { timeout: 60_000 }).toBe(true);
  const ended = once(running.child, 'close');
  // The first one may end it, too; and two that come at once are one.
  const pressing = setInterval(() => running.child.kill('SIGINT'), 300);
  expect(await ended).not.toEqual([null, null]);
  clearInterval(pressing);
  expect(left()).toEqual([]);
});

test('what a killed query has left is swept by the next one, and what a running one uses stays', async () => {
  const gone = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
  for (const pid of [gone, process.pid]) {
    mkdirSync(join(temporary, `catalog-sql-${pid}-x`));
    writeFileSync(join(temporary, `catalog-sql-${pid}-x`, 'spilled'), 'x');
  }
  expect(await catalog.catalog(['query', 'SELECT 1 AS a'])).toMatchObject({ code: 0, stdout: 'a\n1\n' });
  expect(left()).toEqual([`catalog-sql-${process.pid}-x`]);
});
