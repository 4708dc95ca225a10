import { DatabaseSync } from 'node:sqlite';

import { MongoClient } from 'mongodb';

import type { Config } from '../../src/config.ts';
import { tableOf } from '../../src/stores/documents/sqlite/columns.ts';
import { LISTINGS } from '../../test/support/collections.ts';

/** What an afternoon's work asks of the store that the configuration names. */
export interface AfternoonStore extends AsyncDisposable {
  /** Once, before the others: takes in the documents, and these keys by their digests. */
  takeIn(digests: readonly string[]): Promise<void>;
  /** null for a key that nobody was given. */
  keyOf(digest: string): Promise<string | null>;
  /** Counts a request of a key, and returns how many it has made on this day. */
  increment(key: string, day: string): Promise<number>;
  /** null where nothing is published under it. */
  view(slug: string): Promise<object | null>;
  views(slugs: readonly string[]): Promise<readonly object[]>;
}

export async function openAfternoonStore({ documentsUrl }: Config): Promise<AfternoonStore> {
  return documentsUrl.scheme === 'sqlite' ? onSqlite(documentsUrl.path) : await onMongodb(documentsUrl.url);
}

/** In a file of its own beside ours, with each body in one piece, in tables of the kind that they would have. */
function onSqlite(file: string): AfternoonStore {
  const database = new DatabaseSync(`${file}-of-afternoon`);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS keys (digest TEXT PRIMARY KEY, id TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS days (key TEXT, day TEXT, count INTEGER NOT NULL, PRIMARY KEY (key, day)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS documents (id TEXT PRIMARY KEY, body TEXT NOT NULL)`);
  const keyOf = database.prepare('SELECT id FROM keys WHERE digest = ?');
  const increment = database.prepare(
    'INSERT INTO days VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count',
  );
  const find = database.prepare('SELECT body FROM documents WHERE id IN (SELECT value FROM json_each(?))');
  const findOne = database.prepare('SELECT body FROM documents WHERE id = ?');
  const viewOf = ({ body }: Readonly<Record<string, unknown>>): object =>
    (JSON.parse(String(body)) as { readonly view: object }).view;
  return {
    takeIn: async (digests) => {
      database.prepare('ATTACH ? AS ours').run(file);
      database.exec(
        `INSERT INTO documents SELECT id, json_set(rest, '$.view', json("k:view")) FROM ours.${tableOf(LISTINGS)}; DETACH ours`,
      );
      const insert = database.prepare('INSERT INTO keys VALUES (?, ?)');
      database.exec('BEGIN');
      for (const [index, digest] of digests.entries()) insert.run(digest, `key-${index}`);
      database.exec('COMMIT');
    },
    keyOf: async (digest) => (keyOf.get(digest)?.['id'] as string | undefined) ?? null,
    increment: async (key, day) => Number(increment.get(key, day)?.['count']),
    view: async (slug) => {
      const found = findOne.get(slug);
      return found ? viewOf(found) : null;
    },
    views: async (slugs) => find.all(JSON.stringify(slugs)).map(viewOf),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** The documents are ours. */
async function onMongodb(url: string): Promise<AfternoonStore> {
  const client = await new MongoClient(url).connect();
  const keys = client.db().collection<{ readonly _id: string; readonly id: string }>('afternoon-keys');
  const days = client.db().collection<{ readonly _id: string; readonly count: number }>('afternoon-days');
  const documents = client.db().collection<{ readonly _id: string; readonly view: object }>(LISTINGS);
  const projection = { _id: 0, view: 1 } as const;
  return {
    takeIn: async (digests) => {
      if (digests.length > 0)
        await keys.insertMany(digests.map((_id, index) => ({ _id, id: `key-${index}` })));
    },
    keyOf: async (digest) => (await keys.findOne({ _id: digest }))?.id ?? null,
    increment: async (key, day) => {
      const counted = { upsert: true, returnDocument: 'after' } as const;
      const found = await days.findOneAndUpdate({ _id: `${key}/${day}` }, { $inc: { count: 1 } }, counted);
      return found?.count ?? Number.NaN;
    },
    view: async (slug) => (await documents.findOne({ _id: slug }, { projection }))?.view ?? null,
    views: async (slugs) =>
      (await documents.find({ _id: { $in: [...slugs] } }, { projection }).toArray()).map(({ view }) => view),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
