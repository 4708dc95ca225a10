import { batchesAfter } from '../../../platform/chunks.ts';
import { checkIndex, checkQuery, checkSeal, isId } from '../checks.ts';
import type { Search } from '../port.ts';
import { type ConnectionOptions, connectMeilisearch } from './connection.ts';
import { changesOf, indexNames } from './index-operations.ts';
import { readsOf, SCANNED } from './query-and-scan-index.ts';

export interface MeilisearchOptions extends ConnectionOptions {
  /** Stands before the name of every index: other installations may use the same server. Default: none. */
  readonly prefix?: string;
}

/**
 * Search in Meilisearch, shared by any number of processes. Changes are acknowledged when their task has succeeded. An
 * index without our settings (Meilisearch makes one for documents that come for an index that was just dropped) counts
 * as one that does not exist.
 * @throws {PermanentError} where the URL is none.
 */
export function openMeilisearch(url: string, options: MeilisearchOptions = {}): Search {
  const { prefix = '' } = options;
  const connection = connectMeilisearch(url, options);
  const on = async <T>(index: string, call: (it: MeilisearchIndex) => Promise<T>): Promise<T> => {
    checkIndex(index);
    const name = `${prefix}${index}`;
    checkIndex(name);
    const it = { ...changesOf(connection, name), ...readsOf(connection, name) };
    return await connection.run(() => call(it));
  };
  return {
    declare: (index) => on(index, (it) => it.declare()),
    put: (index, entries) => on(index, (it) => it.put(entries)),
    remove: (index, ids) => on(index, (it) => it.remove(ids.filter(isId))),
    seal: async (index, seal, without) => {
      checkSeal(seal);
      await on(index, (it) => it.seal(seal, without));
    },
    seals: (index) => on(index, (it) => it.seals()),
    query: async (index, query) => {
      checkQuery(query);
      return await on(index, (it) => it.query(query));
    },
    contents: (index) => batchesAfter(SCANNED, (after) => on(index, (it) => it.contents(after))),
    indexes: async () => {
      const found = await connection.run(() => indexNames(connection));
      return found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    },
    drop: (index) => on(index, (it) => it.drop()),
    // A search of nothing: it is answered to every key that may search.
    check: async () => {
      await connection.run(() => connection.request((client) => client.multiSearch({ queries: [] })));
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

type MeilisearchIndex = ReturnType<typeof changesOf> & ReturnType<typeof readsOf>;
