import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DatabaseSync } from '../../src/platform/sqlite/sqlite.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { CATEGORIES, LISTINGS, MONITOR } from '../support/collections.ts';
import { documentedExamples, fillWithSample } from '../support/documented-examples.ts';
import { temporaryPath } from '../support/temporary-path.ts';

const { path, remove } = temporaryPath('documents.db');
let database: DatabaseSync;
beforeAll(async () => {
  await using documents = openSqliteDocuments(path);
  await fillWithSample(documents);
  database = new DatabaseSync(path, { readOnly: true });
});
afterAll(() => {
  database.close();
  remove();
});

function rows(sql: string): readonly Record<string, unknown>[] {
  return database.prepare(sql).all();
}

describe('the SQL that docs/reference/documents.md shows', () => {
  test.for(documentedExamples('sql'))('answers something of every column: %s', (sql) => {
    const found = rows(sql);
    expect(found.length).toBeGreaterThan(0);
    for (const column of Object.keys(found[0] ?? {})) {
      expect(found.some((row) => row[column] !== null)).toBe(true);
    }
  });
});

describe('the tables for people', () => {
  test.for([
    ['listings', LISTINGS, 'slug', '$.kind', 'kind'],
    ['categories', CATEGORIES, 'slug', '$.parent', 'parent'],
    ['monitor', MONITOR, 'id', '$.target', 'target'],
  ] as const)('%s has a row for each document, and its view whole', ([table, collection, id, at, column]) => {
    const bodies = rows(`select id, "k:view" as view from "d:${collection}" order by id`);
    const shown = rows(`select * from ${table} order by ${id}`);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.map((row) => row[id])).toEqual(bodies.map((row) => row['id']));
    const views = bodies.map(({ view }) => JSON.parse(String(view)) as unknown);
    expect(shown.map(({ view }) => JSON.parse(String(view)) as unknown)).toEqual(views);
    const alike = rows(
      `select count(*) as n from ${table} where json_extract(view, '${at}') is not ${column}`,
    );
    expect(alike).toEqual([{ n: 0 }]);
  });

  test('scores and flags are plain numbers, titles plain text', () => {
    const [best] = rows('select * from listings where published order by score desc limit 1');
    expect(best).toMatchObject({ published: 1, title: expect.any(String), score: expect.any(Number) });
    expect(best).toMatchObject({ audience: expect.any(Number), updated_at: expect.stringMatching(/^20/) });
  });

  test('nobody can write to them', () => {
    const writing = new DatabaseSync(path);
    expect(() => writing.exec("update listings set kind = 'bot'")).toThrow('because it is a view');
    writing.close();
  });
});

test('a table shows the collection that was declared with it last, and goes with that', async () => {
  const other = temporaryPath('documents.db');
  await using documents = openSqliteDocuments(other.path);
  const shown = () => {
    const file = new DatabaseSync(other.path);
    const names = file.prepare("select sql from sqlite_schema where type = 'view'").all();
    file.close();
    return names.map(({ sql }) => /FROM (.*)$/.exec(String(sql))?.[1]);
  };
  const spec = (version: number, column = 'n') => ({
    name: `things@${version}`,
    indexes: [],
    table: { name: 'things', id: 'id', columns: { [column]: 'n' } },
  });
  await documents.declare(spec(1));
  await documents.declare({ name: 'things@2', indexes: [] });
  expect(shown()).toEqual(['"d:things@1"']);
  await documents.declare(spec(2));
  await documents.declare({ name: 'things@1', indexes: [] });
  expect(shown()).toEqual(['"d:things@2"']);
  await documents.drop('things@1');
  expect(shown()).toEqual(['"d:things@2"']);
  await documents.drop('things@2');
  expect(shown()).toEqual([]);
  await documents.declare(spec(2));
  await documents.declare(spec(2, 'renamed'));
  const file = new DatabaseSync(other.path, { readOnly: true });
  expect(file.prepare('select * from things').columns()).toMatchObject([{ name: 'id' }, { name: 'renamed' }]);
  file.close();
  other.remove();
});
