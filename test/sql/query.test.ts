import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { SQL_TYPES } from '../../src/analysis/duckdb/load-view.ts';
import { VIEWS } from '../../src/analysis/find-view.ts';
import { HOSTILE_TITLE, openAnalysed, SHADOW } from '../support/analysts.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';
import { ask } from './stage.ts';
import { forAllTests } from '../support/for-each-test.ts';

const analysed = forAllTests(openAnalysed);

const query = (...args: readonly string[]) => runHere(['query', ...args], analysed.env);

describe('a query', () => {
  test.each(VIEWS.map((view) => [view.name, view] as const))(
    'of %s finds what export writes, with the columns that are documented',
    async (name, { columns }) => {
      const exported = await runHere(['export', name], analysed.env);
      const { columns: found, rows } = await ask(analysed.env, `FROM ${name}`);
      expect(found).toEqual(
        Object.entries(columns).map(([column, { type }]) => ({ name: column, type: SQL_TYPES[type] })),
      );
      const expected = exported.stdout.split('\n').filter((line) => line !== '');
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toEqual(expected.map((line) => JSON.parse(line) as unknown));
    },
  );

  test('joins the live build and a shadow, named in whatever case', async () => {
    const sql = `SELECT slug, b.slug IS NULL AS missing FROM Listings a LEFT JOIN "${SHADOW.replace('listings', 'LISTINGS')}" b USING (slug) ORDER BY slug`;
    expect((await ask(analysed.env, sql)).rows).toEqual([
      { slug: 'alpha', missing: true },
      { slug: 'beta', missing: true },
    ]);
    expect((await ask(analysed.env, `SELECT slug FROM "${SHADOW}"`)).rows).toEqual([{ slug: 'shadowy' }]);
  });

  test('finds why an entry was unpublished', async () => {
    const sql = `SELECT subject, data->>'reason' AS reason FROM events WHERE type LIKE 'catalog.entry.unpublished.%'`;
    expect((await ask(analysed.env, sql)).rows).toEqual([{ subject: 'gone', reason: 'policy' }]);
  });

  test('reads nothing but the views that it names', async () => {
    const { rows } = await ask(
      analysed.env,
      `WITH events AS (SELECT 1 AS one) SELECT 'metrics' AS text, * FROM categories, (SHOW TABLES)`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['categories']);
  });

  test.each([
    ['SELECT titel FROM listings', /Candidate bindings: "title_/],
    ['SELECT sqr(4)', /Did you mean "sqrt"\?/],
    ['SELECT slug, count(*) FROM listings', /Either add it to the GROUP BY list/],
  ])('that is wrong is told with what DuckDB proposes, on one line: %s', async (sql, proposal) => {
    const { code, stderr } = await query(sql);
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect(stderr).toMatch(proposal);
    expect(stderr).not.toContain('LINE 1');
  });

  test('leaves no temporary file behind', async () => {
    await ask(analysed.env, 'FROM listings');
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('catalog-sql-'))).toEqual([]);
  });
});

describe('a value as JSON', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['170141183460469231731687303715884105727::HUGEINT', '170141183460469231731687303715884105727'],
    ['sum(x) FROM range(3) t(x)', 3],
    ['1.50::DECIMAL(4,2)', 1.5],
    ['123456789012345678.25::DECIMAL(30,2)', '123456789012345678.25'],
    [`'nan'::DOUBLE`, 'NaN'],
    [`DATE '2026-11-20'`, '2026-11-20'],
    [`TIMESTAMP '2026-11-20 10:00:00.5'`, '2026-11-20T10:00:00.500'],
    [`TIMESTAMPTZ '2026-11-20 12:00:00+02'`, '2026-11-20T10:00:00.000Z'],
    [`TIME '10:00:00'`, '10:00:00'],
    ['NULL', null],
    ['[1::BIGINT, NULL]', [1, null]],
    [`{'at': TIMESTAMPTZ '2026-11-20 10:00:00Z', 'n': 5::HUGEINT}`, { at: '2026-11-20T10:00:00.000Z', n: 5 }],
    [`MAP {'a': 1::BIGINT}`, [{ key: 'a', value: 1 }]],
    [`'{"a":[1]}'::JSON`, { a: [1] }],
    ['true', true],
    [`''`, ''],
  ])('%s', async (sql, value) => {
    const { rows } = await ask(
      analysed.env,
      `SELECT ${sql.includes(' FROM ') ? sql.replace(' FROM', ' AS v FROM') : `${sql} AS v`}`,
    );
    expect(rows).toEqual([{ v: value }]);
  });

  test('of columns with one name keeps them all', async () => {
    const { rows } = await ask(analysed.env, 'SELECT 1 AS a, 2 AS "a:1", 3 AS a');
    expect(rows).toEqual([{ a: 1, 'a:1': 2, 'a:2': 3 }]);
  });
});

describe('the table', () => {
  test('shows what would steer a terminal, and cuts long texts with a word on it', async () => {
    const { stdout, stderr } = await query(
      `SELECT title_en, repeat('x', 100) AS long FROM listings ORDER BY slug LIMIT 1`,
    );
    expect(stdout).toBe(`title_en              long\nHa\\u202e"x", \\u200dy  ${'x'.repeat(59)}…\n`);
    expect(stderr).toBe('1 row.\nTexts are cut at 60 characters: --csv and --json show them whole.\n');
  });

  test('shows so many rows, and says that there are more', async () => {
    const { stdout, stderr } = await query('SELECT range AS n FROM range(5000)', '--limit', '2');
    expect(stdout).toBe('n\n0\n1\n');
    expect(stderr).toBe('The first 2 rows: --limit shows more, --csv and --json all.\n');
    expect((await query('SELECT range AS n FROM range(5000)')).stdout.split('\n')).toHaveLength(102);
  });

  test('shows instants without milliseconds that are zero', async () => {
    const { stdout } = await query(`SELECT published_at FROM listings LIMIT 1`);
    expect(stdout).toBe('published_at\n2026-11-20T09:58:00Z\n');
  });

  test('of nothing has its headings', async () => {
    const { code, stdout, stderr } = await query('SELECT slug, score FROM listings WHERE false');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'slug  score\n', stderr: '0 rows.\n' });
  });
});

test('CSV has every row, and in a file every character', async () => {
  const out = join(temporaryFolder(), 'titles.csv');
  const sql = 'SELECT slug, title_en, NULL AS nothing FROM listings ORDER BY slug';
  expect((await query(sql, '--csv', '--out', out)).code).toBe(0);
  expect(readFileSync(out, 'utf8')).toBe(
    `slug,title_en,nothing\nalpha,"${HOSTILE_TITLE.replaceAll('"', '""')}",\nbeta,Beta,\n`,
  );
  expect((await query('SELECT range AS n FROM range(5000)', '--csv')).stdout.split('\n')).toHaveLength(5002);
});

describe('Parquet', () => {
  test.each(VIEWS.map(({ name }) => name))('of %s is written as a whole', async (name) => {
    const out = join(temporaryFolder(), `${name}.parquet`);
    const { code, stdout } = await runHere(
      ['export', name, '--format', 'parquet', '--out', out, '--json'],
      analysed.env,
    );
    expect(code).toBe(0);
    const { rows } = await ask(analysed.env, `SELECT count(*) AS n FROM ${name}`);
    expect(JSON.parse(stdout)).toMatchObject({ rows: rows[0]?.['n'] });
    expect(readFileSync(out).subarray(0, 4).toString()).toBe('PAR1');
  });

  test('that cannot be written ends with one line, and leaves nothing', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'no', 'x.parquet');
    const { code, stderr } = await runHere(
      ['export', 'metrics', '--format', 'parquet', '--out', out],
      analysed.env,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^catalog: \S+ cannot be written: .+\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('without data, a query of a view says so, and makes nothing', async () => {
  const folder = temporaryFolder();
  const env = { CATALOG_DATA: join(folder, 'mistyped') };
  const { code, stderr } = await runHere(['query', 'FROM listings'], env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^catalog: There is no data in \S+mistyped: .+\n$/);
  expect(readdirSync(folder)).toEqual([]);
});
