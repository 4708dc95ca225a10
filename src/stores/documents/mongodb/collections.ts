import type { Clock } from '../../../platform/time/clock.ts';
import type { CollectionSpec } from '../port.ts';
import { orderOf } from '../check-query.ts';
import type { MongoConnection } from './connect-and-retry.ts';
import { buildIndexes, otherOptionsError } from './declare-collection.ts';
import { type FoundCollection, layoutOf, listIndexes, missingIn } from './found-indexes.ts';
import { ignoreCode, NAMESPACE_EXISTS, NAMESPACE_NOT_FOUND } from './error-codes.ts';

/** How long a list of indexes is believed, in milliseconds: other processes declare and drop as well. */
const BELIEVED_MS = 5000;

/**
 * Which collections and indexes the database has. A collection exists where it can be listed. Which of its keys are
 * native is said by its indexes, to every client; a client that has declared the collection knows it also where somebody
 * has dropped an index since.
 */
export function mongoCollections(connection: MongoConnection, clock: Clock) {
  const found = new Map<string, FoundCollection & { readonly at: number }>();
  const declared = new Map<string, readonly string[]>();

  /** Null where there is no such collection: as the database has it now. */
  async function refresh(name: string): Promise<FoundCollection | null> {
    const at = clock.monotonic();
    const indexes = await connection.attempt((db) => listIndexes(db, name));
    found.delete(name);
    if (indexes === null) return null;
    const listed = indexes.flatMap(({ paths }) => orderOf(paths)).map(({ path }) => path);
    const paths = [...new Set([...(declared.get(name) ?? []), ...listed])];
    const known = { indexes, layout: layoutOf(paths), at };
    found.set(name, known);
    return known;
  }

  return {
    refresh,
    /** The same, believed for some seconds. */
    known: async (name: string): Promise<FoundCollection | null> => {
      const known = found.get(name);
      const isFresh = known !== undefined && clock.monotonic() - known.at < BELIEVED_MS;
      return isFresh ? known : await refresh(name);
    },
    /**
     * Makes what is missing, and nothing where nothing is, so that a client without that right can declare as well.
     * @throws {PermanentError} where an index cannot be made, or stands there with other options.
     */
    declare: async ({ name, indexes }: CollectionSpec): Promise<void> => {
      const paths = indexes.flatMap(orderOf).map(({ path }) => path);
      declared.set(name, paths);
      const before = await refresh(name);
      if (before === null)
        await connection.attempt((db) => ignoreCode(NAMESPACE_EXISTS, db.createCollection(name)));
      const missing = missingIn(indexes, before);
      if (missing.length > 0) await buildIndexes(connection, name, missing);
      const [still] = missingIn(indexes, await refresh(name));
      if (still) throw otherOptionsError(name, still);
    },
    names: async (): Promise<readonly string[]> => {
      const listed = await connection.attempt((db) =>
        db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray(),
      );
      return listed
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('system.'))
        .sort();
    },
    /** The id that the database gives a collection when it makes it. DocumentDB has none. */
    origins: async (): Promise<ReadonlyMap<string, string>> => {
      const listed = await connection.attempt((db) => db.listCollections({ type: 'collection' }).toArray());
      const told = listed.flatMap((one): readonly [string, string][] => {
        const uuid = 'info' in one ? one.info?.uuid : undefined;
        return uuid ? [[one.name, uuid.toString('hex')]] : [];
      });
      return new Map(told);
    },
    drop: async (name: string): Promise<void> => {
      declared.delete(name);
      if ((await refresh(name)) === null) return;
      found.delete(name);
      await connection.attempt((db) => ignoreCode(NAMESPACE_NOT_FOUND, db.dropCollection(name)));
    },
  };
}
