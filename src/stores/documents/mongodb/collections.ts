import type { Clock } from '../../../platform/time/clock.ts';
import type { CollectionSpec } from '../port.ts';
import { orderOf } from '../check-query.ts';
import type { MongoConnection } from './connection.ts';
import { buildIndexes, createCollection, otherOptionsError } from './declare-collection.ts';
import { type FoundCollection, layoutOf, listIndexes, missingIn } from './found-indexes.ts';
import { ignoreCode, NAMESPACE_NOT_FOUND } from './error-codes.ts';

/** How long a list of indexes is believed, in milliseconds: other processes declare and drop as well. */
const BELIEVED_MS = 5000;

/**
 * Which collections and indexes the database has. A collection exists where it can be listed. Which of its keys are
 * native is said by its indexes, to every client; a client that has declared the collection knows it also where somebody
 * has dropped an index since.
 */
export class MongoCollections {
  readonly #connection: MongoConnection;
  readonly #clock: Clock;
  readonly #known = new Map<string, FoundCollection & { readonly at: number }>();
  readonly #declared = new Map<string, readonly string[]>();

  constructor(connection: MongoConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /**
   * Makes what is missing, and nothing where nothing is, so that a client without that right can declare as well.
   * @throws {PermanentError} where an index cannot be made, or stands there with other options.
   */
  async declare({ name, indexes }: CollectionSpec): Promise<void> {
    const paths = indexes.flatMap(orderOf).map(({ path }) => path);
    this.#declared.set(name, paths);
    const found = await this.refresh(name);
    if (found === null) await this.#connection.attempt((db) => createCollection(db, name));
    const missing = missingIn(indexes, found);
    if (missing.length > 0) await buildIndexes(this.#connection, name, missing);
    const [still] = missingIn(indexes, await this.refresh(name));
    if (still) throw otherOptionsError(name, still);
  }

  /** Null where there is no such collection. Believed for some seconds. */
  async known(name: string): Promise<FoundCollection | null> {
    const known = this.#known.get(name);
    const isFresh = known !== undefined && this.#clock.monotonic() - known.at < BELIEVED_MS;
    return isFresh ? known : await this.refresh(name);
  }

  /** The same, as the database has it now. */
  async refresh(name: string): Promise<FoundCollection | null> {
    const at = this.#clock.monotonic();
    const found = await this.#connection.attempt((db) => listIndexes(db, name));
    this.#known.delete(name);
    if (found === null) return null;
    const listed = found.flatMap(({ paths }) => orderOf(paths)).map(({ path }) => path);
    const paths = [...new Set([...(this.#declared.get(name) ?? []), ...listed])];
    const known = { indexes: found, layout: layoutOf(paths), at };
    this.#known.set(name, known);
    return known;
  }

  async names(): Promise<readonly string[]> {
    const found = await this.#connection.attempt((db) =>
      db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray(),
    );
    return found
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('system.'))
      .sort();
  }

  /** The id that the database gives a collection when it makes it. DocumentDB has none. */
  async origins(): Promise<ReadonlyMap<string, string>> {
    const found = await this.#connection.attempt((db) =>
      db.listCollections({ type: 'collection' }).toArray(),
    );
    const told = found.flatMap((one): readonly [string, string][] => {
      const uuid = 'info' in one ? one.info?.uuid : undefined;
      return uuid ? [[one.name, uuid.toString('hex')]] : [];
    });
    return new Map(told);
  }

  async drop(name: string): Promise<void> {
    this.#declared.delete(name);
    if ((await this.refresh(name)) === null) return;
    this.#known.delete(name);
    await this.#connection.attempt(async (db) => {
      await ignoreCode(NAMESPACE_NOT_FOUND, db.dropCollection(name));
    });
  }
}
