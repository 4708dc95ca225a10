import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openDatabase } from '../../src/analysis/duckdb/database.ts';
import { ask } from '../../src/analysis/duckdb/query.ts';
import { StoppedError } from '../../src/projecting/engine/retry.ts';
import { loadDuckDb } from '../../src/analysis/duckdb/load-module.ts';
import { openAnalysed } from '../support/analysts.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';
import attacks from './attacks.json' with { type: 'json' };
import { forAllTests } from '../support/for-each-test.ts';
import { listenOnLoopback } from '../support/loopback.ts';

const analysed = forAllTests(openAnalysed);
/** Where what gets out would be seen. */
const target = temporaryFolder();
let requests = 0;
const server = forAllTests(() =>
  listenOnLoopback(
    createServer((_request, response) => {
      requests += 1;
      response.end('canary\n');
    }),
  ),
);

/** By what they are after. CANARY is a file that must not be read, OUT a path that must not be written, URL an address that must not be asked. */
const ATTACKS = Object.values(attacks).flat();

function placed(attack: string): string {
  return attack
    .replaceAll('CANARY', join(analysed.folder, 'canary'))
    .replaceAll('OUT', join(target, 'out'))
    .replaceAll('URL', `http://127.0.0.1:${server.port}`);
}

test.each(ATTACKS)('is refused, and reaches nothing: %s', async (attack) => {
  const before = stateOf(analysed.folder);
  const { code, stdout, stderr } = await runHere(['query', placed(attack)], analysed.env);
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^catalog: [^\n]+\n$/);
  expect(stderr).not.toContain('a fault of ours');
  expect(stderr).not.toContain('canary,of,the,folder');
  expect(readdirSync(target)).toEqual([]);
  expect(requests).toBe(0);
  expect(stateOf(analysed.folder)).toEqual(before);
});

/** Every file of the folder with its digest, but those in which SQLite keeps the locks of readers. */
function stateOf(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith('-shm'))
    .toSorted()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]);
}

/** What a text meets that would get past the first look. */
test.each([
  [`SELECT * FROM read_text('CANARY')`, /Permission Error/],
  [`COPY (SELECT 1) TO 'OUT'`, /Permission Error/],
  [`ATTACH 'OUT' AS other`, /Permission Error/],
  [`INSTALL httpfs`, /Permission Error/],
  [`LOAD httpfs`, /Permission Error/],
  [`SET enable_external_access = true`, /locked/],
  [`SET lock_configuration = false`, /locked/],
  [`SET temp_directory = 'OUT'`, /locked/],
  [`SELECT getenv('HOME')`, /getenv does not exist/],
])('a locked database refuses by itself: %s', async (attack, reason) => {
  using database = await openDatabase(loadDuckDb());
  await database.lock();
  await expect(database.connection.run(placed(attack))).rejects.toThrow(reason);
  expect(readdirSync(target)).toEqual([]);
});

test.each([
  `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT max(n) FROM r`,
  `PIVOT listings ON kind IN ('channel', 'bot') USING count(*)`,
  `SELECT * EXCLUDE (view) FROM listings QUALIFY row_number() OVER (ORDER BY score) = 1`,
  `SELECT slug, unnest(tags) FROM listings`,
  `FROM metrics m ASOF JOIN metrics n ON m.slug = n.slug AND m.day > n.day`,
  `SELECT kind, count(*) FROM listings GROUP BY ROLLUP (kind)`,
  `SELECT list_transform([1, 2], lambda x: x + 1)`,
  `VALUES (1), (2)`,
  `DESCRIBE listings`,
  `SUMMARIZE metrics`,
  `SELECT key FROM listings, json_each(view) LIMIT 3`,
  `SELECT 1e400::DOUBLE`,
  `SELECT 'DROP TABLE listings; COPY x TO y'`,
  `SELECT slug FROM listings; -- the end`,
])('what only computes is answered: %s', async (sql) => {
  const { code, stderr } = await runHere(['query', sql, '--json'], analysed.env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('a query that fails while it runs', () => {
  test('is stopped by its signal, however long it would take', async () => {
    using database = await openDatabase(loadDuckDb());
    await database.lock();
    const stopping = new AbortController();
    const asked = ask(
      database,
      'SELECT count(*) FROM range(1000000000000) t(n) WHERE n % 7 = 3',
      stopping.signal,
    );
    const counted = asked.then(({ rows }) => Array.fromAsync(rows));
    stopping.abort();
    await expect(counted).rejects.toBeInstanceOf(StoppedError);
  });

  test('for want of memory and room ends with 1, and the text that asks for too much with it', async () => {
    using database = await openDatabase(loadDuckDb(), { memory: '20MB', disk: '1MB' });
    await database.lock();
    const { signal } = new AbortController();
    const sql = 'SELECT count(*) FROM (SELECT DISTINCT n::VARCHAR || n::VARCHAR FROM range(5000000) t(n))';
    const asked = ask(database, sql, signal).then(({ rows }) => Array.fromAsync(rows));
    await expect(asked).rejects.toThrow(/^SQL: Out of Memory Error/);
  });

  test('for a value ends with 1 and one line', async () => {
    const { code, stdout, stderr } = await runHere(['query', `SELECT kind::INT FROM listings`], analysed.env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^catalog: SQL: Conversion Error: .+\n$/);
  });
});
