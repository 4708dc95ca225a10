import { type Db, MongoNetworkTimeoutError } from 'mongodb';

import type { Clock } from '../../../platform/clock.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { rootOf } from '../names.ts';
import type { CollectionSpec, Index } from '../port.ts';
import { orderOf } from '../query.ts';
import type { MongoConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { NAMESPACE_EXISTS, NAMESPACE_NOT_FOUND } from './error-codes.ts';
import { type Known, listIndexes, missingIn, unless, type WantedIndex } from './found-indexes.ts';
import { sortOf } from './queries.ts';

/** How long a list of indexes is believed, in milliseconds: other processes declare and drop as well. */
const BELIEVED_MS = 5000;
/** How often a call waits for the same index again, each time for the socket's timeout: building may take an hour. */
const BUILD_ATTEMPTS = 360;

/**
 * Which collections and indexes the database has. A collection exists where it can be listed. Which of its keys are
 * native is said by its indexes, to every client; a client that has declared the collection knows it of keys without an
 * index as well.
 */
export class MongoCollections {
  readonly #connection: MongoConnection;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known & { readonly at: number }>();
  readonly #declared = new Map<string, readonly string[]>();

  constructor(connection: MongoConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /**
   * Makes what is missing, and nothing where nothing is, so that a client without that right can declare as well.
   * @throws {PermanentError} where an index cannot be made, or stands there with other options.
   */
  async declare({ name, indexes, native = [] }: CollectionSpec): Promise<void> {
    this.#declared.set(name, native);
    const layout = { native: new Set(native), paths: [] };
    const wanted = indexes.map((paths) => ({ paths, key: sortOf(orderOf(paths), layout) }));
    const found = await this.refresh(name);
    if (found === null) await this.#connection.attempt((db) => createCollection(db, name));
    await this.#refuseSpecial(name);
    const missing = missingIn(wanted, found);
    if (missing.length > 0) await this.#build(name, missing);
    const [still] = missingIn(wanted, await this.refresh(name));
    if (still) throw otherOptions(name, still.paths);
  }

  async #build(name: string, indexes: readonly WantedIndex[]): Promise<void> {
    const specs = indexes.map(({ paths, key }) => ({ key, name: paths.join(',') }));
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connection.attempt(async (db) => {
          await db.collection(name).createIndexes(specs);
        });
      } catch (thrown) {
        const cause = thrown instanceof Error ? thrown.cause : undefined;
        if (INDEX_CONFLICTS.has(codeOf(cause) ?? 0)) throw otherOptions(name, indexes[0]?.paths ?? [], cause);
        if (!(cause instanceof MongoNetworkTimeoutError) || attempt === BUILD_ATTEMPTS) throw thrown;
      }
    }
  }

  /** A collection that somebody else has made with a collation, or as a view, orders and keeps other things. */
  async #refuseSpecial(name: string): Promise<void> {
    const [info] = await this.#connection.attempt((db) => db.listCollections({ name }).toArray());
    const { collation, capped } = (info && 'options' in info ? info.options : null) ?? {};
    const isPlain = (info?.type ?? 'collection') === 'collection' && !collation && capped !== true;
    if (!isPlain) {
      throw new PermanentError(
        `The collection ${name} was made as a view, capped or with a collation. Move it away; it is then made again.`,
      );
    }
  }

  /** Null where there is no such collection. Believed for some seconds. */
  async known(name: string): Promise<Known | null> {
    const known = this.#known.get(name);
    const isFresh = known !== undefined && this.#clock.monotonic() - known.at < BELIEVED_MS;
    return isFresh ? known : await this.refresh(name);
  }

  /** The same, as the database has it now. */
  async refresh(name: string): Promise<Known | null> {
    const at = this.#clock.monotonic();
    const found = await this.#connection.attempt((db) => listIndexes(db, name));
    this.#known.delete(name);
    if (found === null) return null;
    const paths = [...new Set(found.flatMap(({ nativePaths }) => nativePaths))];
    const native = new Set([...(this.#declared.get(name) ?? []), ...paths.map(rootOf)]);
    const known = { indexes: found, layout: { native, paths }, at };
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

  async drop(name: string): Promise<void> {
    this.#declared.delete(name);
    if ((await this.refresh(name)) === null) return;
    this.#known.delete(name);
    await this.#connection.attempt(async (db) => {
      await unless(NAMESPACE_NOT_FOUND, db.dropCollection(name));
    });
  }
}

/** IndexOptionsConflict and IndexKeySpecsConflict. */
const INDEX_CONFLICTS: ReadonlySet<number> = new Set([85, 86]);

function otherOptions(name: string, index: Index, cause?: unknown): PermanentError {
  return new PermanentError(
    `The collection ${name} needs an index [${index.join(', ')}], and has one like it with other options. Drop that one; the next start makes it again.`,
    { cause },
  );
}

async function createCollection(db: Db, name: string): Promise<void> {
  await unless(NAMESPACE_EXISTS, db.createCollection(name));
}
