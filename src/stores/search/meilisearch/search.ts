import { batchesAfter } from '../../../platform/chunks.ts';
import { checkIndex, checkQuery, checkSeal, isId } from '../checks.ts';
import type { Search } from '../port.ts';
import { MeilisearchConnection } from './connection.ts';
import { MeilisearchIndexes } from './indexes.ts';
import { MeilisearchQueries, SCANNED } from './queries.ts';

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
  const on = async <T>(index: string, call: (name: string) => Promise<T>): Promise<T> => {
    checkIndex(index);
    checkIndex(`${prefix}${index}`);
    return await connection.run(() => call(`${prefix}${index}`));
  };
  return {
    declare: (index) => on(index, (name) => indexes.declare(name)),
    put: (index, entries) => on(index, (name) => indexes.put(name, entries)),
    remove: (index, ids) => on(index, (name) => indexes.remove(name, ids.filter(isId))),
    seal: async (index, seal, without) => {
      checkSeal(seal);
      await on(index, (name) => indexes.seal(name, seal, without));
    },
    seals: (index) => on(index, (name) => queries.seals(name)),
    query: async (index, query) => {
      checkQuery(query);
      return await on(index, (name) => queries.query(name, query));
    },
    contents: (index) => batchesAfter(SCANNED, (after) => on(index, (name) => queries.contents(name, after))),
    indexes: async () => {
      const found = await connection.run(() => indexes.names());
      return found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    },
    drop: (index) => on(index, (name) => indexes.drop(name)),
    check: () => connection.run(() => queries.check()),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
