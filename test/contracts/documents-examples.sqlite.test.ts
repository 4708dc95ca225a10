import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { DatabaseSync } from '../../src/platform/sqlite/node-sqlite.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { documentedExamples, fillWithSample } from '../support/documented-examples.ts';
import { temporaryFolder } from '../support/folder.ts';

const path = join(temporaryFolder(), 'documents.db');
let database: DatabaseSync;
beforeAll(async () => {
  await using documents = openSqliteDocuments(path);
  await fillWithSample(documents);
  database = new DatabaseSync(path, { readOnly: true });
});
afterAll(() => database.close());

function rows(sql: string): readonly Record<string, unknown>[] {
  return database.prepare(sql).all();
}

test.for(documentedExamples('sql'))(
  'the SQL that docs/reference/documents.md shows answers something of every column: %s',
  (sql) => {
    const found = rows(sql);
    expect(found.length).toBeGreaterThan(0);
    for (const column of Object.keys(found[0] ?? {})) {
      expect(found.some((row) => row[column] !== null)).toBe(true);
    }
  },
);
