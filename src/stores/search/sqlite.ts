import { systemClock } from '../../platform/clock.ts';
import type { Access } from '../../platform/sqlite.ts';
import { checkIndex, checkQuery, checkSeal, isId } from './checks.ts';
import type { Content, Search } from './port.ts';
import { SqliteThread } from './sqlite/thread.ts';

export interface SqliteSearchOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
  /** How long attempts at a busy file go on before a call is refused as retryable, in milliseconds. Default 5,000. */
  readonly patienceMs?: number;
  /** How long a query may wait for those before it; after that it is refused as retryable. Default 2,000 ms. */
  readonly queueMs?: number;
}

/**
 * Search in a SQLite file (FTS5), which any number of processes of one machine may have open. Each client has a thread
 * of its own, started by its first call: no call blocks the caller's thread. A damaged file is reported by every call.
 * The file can be deleted at any time; it is then made again, without indexes.
 */
export function openSqliteSearch(path: string, options: SqliteSearchOptions = {}): Search {
  const { access, patienceMs = 5000, queueMs = 2000 } = options;
  const thread = new SqliteThread({ path, access, patienceMs });
  return {
    declare: async (index) => {
      checkIndex(index);
      await thread.call('declare', { index });
    },
    put: async (index, entries) => {
      checkIndex(index);
      return await thread.call('put', { index, entries });
    },
    remove: async (index, ids) => {
      checkIndex(index);
      return await thread.call('remove', { index, ids: ids.filter(isId) });
    },
    seal: async (index, seal, without) => {
      checkIndex(index);
      checkSeal(seal);
      await thread.call('seal', { index, seal, without });
    },
    seals: async (index) => {
      checkIndex(index);
      return await thread.call('seals', { index });
    },
    query: async (index, query) => {
      checkIndex(index);
      checkQuery(query);
      return await thread.call('query', { index, query }, systemClock.monotonic() + queueMs);
    },
    contents: (index) => contentsOf(thread, index),
    indexes: async () => await thread.call('indexes', null),
    drop: async (index) => {
      checkIndex(index);
      await thread.call('drop', { index });
    },
    check: async () => {
      await thread.call('check', null);
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

async function* contentsOf(thread: SqliteThread, index: string): AsyncGenerator<readonly Content[]> {
  checkIndex(index);
  for (let after = ''; ;) {
    const batch = await thread.call('contents', { index, after });
    const last = batch.at(-1);
    if (!last) return;
    yield batch;
    after = last.id;
  }
}
