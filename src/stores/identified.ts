import type { Documents, Stored } from './documents/port.ts';
import { ensureIdentity, readIdentity } from './identity.ts';

/**
 * The same documents, whose identity and format are looked at before the first call: every call is refused where the
 * store is of another format, and nothing is changed in it. What declares a collection gives a new store its identity
 * first. `where` names the store, for people.
 */
export function identified(documents: Documents, where: string): Documents {
  const checked = once(async () => void (await readIdentity(documents, where)));
  const made = once(async () => void (await ensureIdentity(documents, where)));
  async function* scan<Body>(collection: string): AsyncGenerator<readonly Stored<Body>[]> {
    await checked();
    yield* documents.scan<Body>(collection);
  }
  return {
    declare: async (collection) => {
      await made();
      await documents.declare(collection);
    },
    get: async (collection, ids) => (await checked(), await documents.get(collection, ids)),
    versions: async (collection, ids, options) => (
      await checked(),
      await documents.versions(collection, ids, options)
    ),
    write: async (collection, writes, options) => (
      await checked(),
      await documents.write(collection, writes, options)
    ),
    remove: async (collection, removals) => (await checked(), await documents.remove(collection, removals)),
    find: async (collection, query) => (await checked(), await documents.find(collection, query)),
    count: async (collection, query) => (await checked(), await documents.count(collection, query)),
    scan,
    collections: async () => (await checked(), await documents.collections()),
    drop: async (collection) => (await checked(), await documents.drop(collection)),
    now: async () => (await checked(), await documents.now()),
    [Symbol.asyncDispose]: () => documents[Symbol.asyncDispose](),
  };
}

/** Does it until it has succeeded once; those who ask meanwhile share one attempt. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().catch((thrown: unknown) => {
      running = null;
      throw thrown;
    });
    return running;
  };
}
