import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { listed, startScriptedMongodb, type ScriptedMongodb } from './scripted-mongodb.ts';

/** The adapter of MongoDB on a server that answers what a test says. */
export interface MongodbBench extends AsyncDisposable {
  /** A test may put another one in its place. */
  server: ScriptedMongodb;
  readonly documents: Documents;
  /** The commands of this name that the server has received, in their order. */
  received(name: string): readonly Readonly<Record<string, unknown>>[];
  /** The ids that each command of this kind named. */
  idsOf(name: 'insert' | 'update'): readonly unknown[];
}

/** The answer to a bulk write that took effect on `n` documents. */
export function applied(n: number, more: object = {}): object {
  return { ok: 1, n, nModified: n, ...more };
}

/** The answer to the question which versions documents have. */
export function versions(found: Readonly<Record<string, string>>): object {
  return listed(Object.entries(found).map(([_id, version]) => ({ _id, version })));
}

export async function openMongodbBench(): Promise<MongodbBench> {
  const server = await startScriptedMongodb();
  const documents = openMongoDocuments(server.url, { patienceMs: 2000 });
  const bench: MongodbBench = {
    server,
    documents,
    received: (name) => bench.server.commands.filter((command) => Object.keys(command)[0] === name),
    idsOf: (name) =>
      bench
        .received(name)
        .map((command) =>
          name === 'insert'
            ? (command['documents'] as { _id: string }[]).map(({ _id }) => _id)
            : (command['updates'] as { q: { _id: string } }[]).map(({ q }) => q._id),
        ),
    [Symbol.asyncDispose]: async () => {
      await documents[Symbol.asyncDispose]();
      await bench.server[Symbol.asyncDispose]();
    },
  };
  return bench;
}
