import { batchesAfter } from '../../../platform/chunks.ts';
import { checkIndex, checkQuery, checkSeal, isId } from '../checks.ts';
import type { Search } from '../port.ts';
import { type ConnectionOptions, MeilisearchConnection } from './connection.ts';
import { indexNames, MeilisearchIndex } from './index-operations.ts';
import { MeilisearchReads, SCANNED } from './index-reads.ts';

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
  const connection = new MeilisearchConnection(url, options);
  const queries = new MeilisearchReads(connection);
  const on = async <T>(index: string, call: (name: string) => Promise<T>): Promise<T> => {
    checkIndex(index);
    checkIndex(`${prefix}${index}`);
    return await connection.run(() => call(`${prefix}${index}`));
  };
  const change = <T>(index: string, call: (changed: MeilisearchIndex) => Promise<T>): Promise<T> =>
    on(index, (name) => call(new MeilisearchIndex(connection, name)));
  return {
    declare: (index) => change(index, (it) => it.declare()),
    put: (index, entries) => change(index, (it) => it.put(entries)),
    remove: (index, ids) => change(index, (it) => it.remove(ids.filter(isId))),
    seal: async (index, seal, without) => {
      checkSeal(seal);
      await change(index, (it) => it.seal(seal, without));
    },
    seals: (index) => on(index, (name) => queries.seals(name)),
    query: async (index, query) => {
      checkQuery(query);
      return await on(index, (name) => queries.query(name, query));
    },
    contents: (index) => batchesAfter(SCANNED, (after) => on(index, (name) => queries.contents(name, after))),
    indexes: async () => {
      const found = await connection.run(() => indexNames(connection));
      return found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    },
    drop: (index) => change(index, (it) => it.drop()),
    check: () => connection.run(() => queries.check()),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
