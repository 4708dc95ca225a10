import { systemClock } from '../../platform/clock.ts';
import { checkIndex, checkQuery, checkSeal, isId } from './checks.ts';
import type { Search } from './port.ts';
import { ClientThread } from './sqlite/client-thread.ts';
import type { ConnectionOptions } from './sqlite/connection.ts';

export interface SqliteSearchOptions {
  /** Default `create`. */
  readonly access?: ConnectionOptions['access'];
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
  const thread = new ClientThread({ path, access, patienceMs });
  const on = (index: string): ReturnType<ClientThread['get']> => {
    checkIndex(index);
    return thread.get();
  };
  return {
    declare: async (index) => await on(index).call('declare', index),
    put: async (index, entries) => await on(index).call('put', index, entries),
    remove: async (index, ids) => await on(index).call('remove', index, ids.filter(isId)),
    seal: async (index, seal, without) => {
      checkSeal(seal);
      await on(index).call('seal', index, seal, without);
    },
    seals: async (index) => await on(index).call('seals', index),
    query: async (index, query) => {
      checkQuery(query);
      return await on(index).call('query', index, query, systemClock.monotonic() + queueMs);
    },
    contents: async function* (index, atOnce) {
      for (let after = ''; ;) {
        const batch = await on(index).call('contents', index, after, atOnce);
        const last = batch.at(-1);
        if (!last) return;
        yield batch;
        after = last.id;
      }
    },
    indexes: async () => await thread.get().call('indexes'),
    drop: async (index) => await on(index).call('drop', index),
    check: async () => await thread.get().call('check'),
    [Symbol.asyncDispose]: () => thread.close(),
  };
}
