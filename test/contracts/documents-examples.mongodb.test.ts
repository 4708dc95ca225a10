import { createContext, runInContext } from 'node:vm';

import { type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { PROJECTIONS } from '../../projections/index.ts';
import { collectionSpec } from '../../src/projecting/engine/projection.ts';
import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { documentedExamples, fillWithSample } from '../support/documented-examples.ts';

const service = inject('services')['mongodb'];
const url = new URL(service?.url ?? 'mongodb://none/');
url.pathname = `/catalog-examples-${process.pid}`;
url.searchParams.set('directConnection', 'true');

let client: MongoClient;
let db: Db;
let documents: Documents;

describe.runIf(typeof service?.url === 'string')('a MongoDB that people look into', () => {
  beforeAll(async () => {
    client = new MongoClient(url.href);
    db = client.db();
    documents = openMongoDocuments(url.href);
    await fillWithSample(documents);
  });
  afterAll(async () => {
    await db.dropDatabase();
    await documents[Symbol.asyncDispose]();
    await client.close();
  });

  test.for(documentedExamples('js'))(
    'what docs/reference/documents.md shows for mongosh answers something: %s',
    async (line) => {
      const found = await inShell(line).toArray();
      expect(found.length).toBeGreaterThan(0);
    },
  );

  test.for(PROJECTIONS.map(collectionSpec))(
    'the indexes of $name are over the native view, and its values are kept once',
    async ({ name, indexes }) => {
      const there = await db.collection(name).listIndexes().toArray();
      const keys = there.map(({ key }) => key as Document);
      for (const index of indexes.filter(([path]) => path?.startsWith('view.'))) {
        const key = index.map((path) => [path.replace('-', ''), path.startsWith('-') ? -1 : 1] as const);
        expect(keys).toContainEqual(Object.fromEntries([...key, ['_id', 1]]));
      }
      for (const { body, view } of await db.collection(name).find().toArray()) {
        expect(view).toEqual(expect.any(Object));
        expect(JSON.parse(String(body))).not.toHaveProperty('view');
      }
    },
  );
});

/** Runs a line as mongosh would: `db['NAME']` is a collection. */
function inShell(line: string): { toArray(): Promise<readonly Document[]> } {
  const collections = new Proxy({}, { get: (_, name) => db.collection(String(name)) });
  return runInContext(line, createContext({ db: collections })) as ReturnType<typeof inShell>;
}
