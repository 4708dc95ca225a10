import { checkIndex, checkQuery, checkSeal, isId } from '../checks.ts';
import type { Search } from '../port.ts';
import { MeilisearchConnection } from './connection.ts';
import { MeilisearchIndexes } from './indexes.ts';
import { MeilisearchQueries } from './queries.ts';

export interface MeilisearchOptions {
  /** The API key: one that may search is enough for an API instance. Default: none. */
  readonly key?: string | null;
  /** Stands before the name of every index: other installations may use the same server. Default: none. */
  readonly prefix?: string;
  /** The longest that a request may take, in milliseconds. Default 10,000. */
  readonly requestMs?: number;
  /** How long a task is waited for, in milliseconds. Default 20,000. */
  readonly taskMs?: number;
}

/**
 * Search in Meilisearch, shared by any number of processes. Changes are acknowledged when their task has succeeded. An
 * index without our settings (Meilisearch makes one for documents that come for an index that was just dropped) counts
 * as one that does not exist.
 * @throws {PermanentError} where the URL is none.
 */
export function openMeilisearch(url: string, options: MeilisearchOptions = {}): Search {
  const { key = null, prefix = '', requestMs = 10_000, taskMs = 20_000 } = options;
  const connection = new MeilisearchConnection(url, { key, requestMs, taskMs });
  const indexes = new MeilisearchIndexes(connection);
  const queries = new MeilisearchQueries(connection);
  const named = (index: string): string => {
    checkIndex(index);
    checkIndex(`${prefix}${index}`);
    return `${prefix}${index}`;
  };
  return {
    declare: async (index) => await connection.run(() => indexes.declare(named(index))),
    put: async (index, entries) => await connection.run(() => indexes.put(named(index), entries)),
    remove: async (index, ids) => await connection.run(() => indexes.remove(named(index), ids.filter(isId))),
    seal: async (index, seal, without) => {
      checkSeal(seal);
      await connection.run(() => indexes.seal(named(index), seal, without));
    },
    seals: async (index) => await connection.run(() => queries.seals(named(index))),
    query: async (index, query) => {
      checkQuery(query);
      return await connection.run(() => queries.query(named(index), query));
    },
    contents: (index) => queries.contents(named(index)),
    indexes: async () => {
      const found = await connection.run(() => indexes.names());
      return found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    },
    drop: async (index) => await connection.run(() => indexes.drop(named(index))),
    check: async () => await connection.run(() => queries.check()),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
