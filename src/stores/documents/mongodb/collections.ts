import { type Db, MongoNetworkTimeoutError } from 'mongodb';

import type { Clock } from '../../../platform/clock.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { orderOf } from '../conditions.ts';
import type { CollectionSpec, Index } from '../port.ts';
import type { MongoConnection } from './connection.ts';
import { codeOf, NAMESPACE_EXISTS, NAMESPACE_NOT_FOUND } from './errors.ts';
import { sortOf } from './queries.ts';
import { pathOf } from './stored.ts';

/** An index as the database has it, under its name there. */
export interface DeclaredIndex {
  readonly name: string;
  readonly paths: Index;
}

/** How long a list of indexes is believed, in milliseconds: other processes declare and drop as well. */
const BELIEVED_MS = 5000;
/** How often a call waits for the same index again, each time for the socket's timeout: building may take an hour. */
const BUILD_ATTEMPTS = 360;

/** Which collections and indexes the database has. A collection exists where it can be listed. */
export class MongoCollections {
  readonly #connection: MongoConnection;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly indexes: readonly DeclaredIndex[]; readonly at: number }>();

  constructor(connection: MongoConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /**
   * Makes what is missing, and nothing where nothing is, so that a client without that right can declare as well.
   * @throws {PermanentError} where an index cannot be made, or stands there with other options.
   */
  async declare({ name, indexes }: CollectionSpec): Promise<void> {
    const found = await this.refresh(name);
    if (found === null) await this.#connection.attempt((db) => createCollection(db, name));
    await this.#refuseSpecial(name);
    const missing = missingIn(indexes, found ?? []);
    if (missing.length > 0) await this.#build(name, missing);
    const [still] = missingIn(indexes, (await this.refresh(name)) ?? []);
    if (still) throw otherOptions(name, still);
  }

  async #build(name: string, indexes: readonly Index[]): Promise<void> {
    const specs = indexes.map((paths) => ({ key: sortOf(orderOf(paths)), name: paths.join(',') }));
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connection.attempt(async (db) => {
          await db.collection(name).createIndexes(specs);
        });
      } catch (thrown) {
        const cause = thrown instanceof Error ? thrown.cause : undefined;
        if (INDEX_CONFLICTS.has(codeOf(cause) ?? 0)) throw otherOptions(name, indexes[0] ?? [], cause);
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
        `The collection ${name} was made as a view, capped or with a collation. Move it away; it is then made anew.`,
      );
    }
  }

  /** The declared indexes; null where there is no such collection. Believed for some seconds. */
  async indexesOf(name: string): Promise<readonly DeclaredIndex[] | null> {
    const known = this.#known.get(name);
    const isFresh = known !== undefined && this.#clock.monotonic() - known.at < BELIEVED_MS;
    return isFresh ? known.indexes : await this.refresh(name);
  }

  /** The same, as the database has it now. */
  async refresh(name: string): Promise<readonly DeclaredIndex[] | null> {
    const at = this.#clock.monotonic();
    const indexes = await this.#connection.attempt((db) => listIndexes(db, name));
    if (indexes === null) this.#known.delete(name);
    else this.#known.set(name, { indexes, at });
    return indexes;
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
    `The collection ${name} needs an index [${index.join(', ')}], and has one like it with other options. Drop that one; the next start makes it anew.`,
    { cause },
  );
}

async function createCollection(db: Db, name: string): Promise<void> {
  await unless(NAMESPACE_EXISTS, db.createCollection(name));
}

/** What a call answers; undefined where it failed only because somebody else was first. */
async function unless<T>(code: number, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (thrown) {
    if (codeOf(thrown) !== code) throw thrown;
    return undefined;
  }
}

async function listIndexes(db: Db, name: string): Promise<readonly DeclaredIndex[] | null> {
  const found = await unless(NAMESPACE_NOT_FOUND, db.collection(name).listIndexes().toArray());
  if (!found || found.length === 0) return null;
  return found.flatMap((index: Readonly<Record<string, unknown>>) => {
    const paths = pathsOf(index);
    return paths === null ? [] : [{ name: String(index['name']), paths }];
  });
}

/** Options under which an index does not have every document, refuses some, or orders them otherwise. */
const SPECIAL = ['unique', 'sparse', 'partialFilterExpression', 'collation', 'expireAfterSeconds', 'hidden'];

/** The paths of an index that `declare` could have made; null for any other. */
function pathsOf(index: Readonly<Record<string, unknown>>): Index | null {
  if (SPECIAL.some((option) => Boolean(index[option]))) return null;
  const keys = Object.entries((index['key'] ?? {}) as Readonly<Record<string, unknown>>);
  const id = keys.pop();
  if (keys.length === 0 || id?.[0] !== '_id' || id[1] !== 1) return null;
  const paths = keys.map(([field, direction]) => {
    const path = pathOf(field);
    return path === null ? null : `${direction === -1 ? '-' : ''}${path}`;
  });
  return paths.every((path) => path !== null) ? paths : null;
}

function missingIn(wanted: readonly Index[], found: readonly DeclaredIndex[]): readonly Index[] {
  const there = new Set(found.map(({ paths }) => JSON.stringify(paths)));
  const missing = wanted.filter((paths) => !there.has(JSON.stringify(paths)));
  return [...new Map(missing.map((paths) => [JSON.stringify(paths), paths])).values()];
}
