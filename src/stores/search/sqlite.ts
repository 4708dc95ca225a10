import { batchesAfter } from '../../platform/chunks.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import { startWorkerWhenCalled } from '../../platform/threads/start-worker.ts';
import { checkIndex, checkQuery, checkSeal, isId } from './checks.ts';
import type { Search } from './port.ts';
import type { WorkerOperations } from './sqlite/worker-operations.ts';
import type { SearchFileOptions } from './sqlite/search-file.ts';

export interface SqliteSearchOptions {
  /** Default `create`. */
  readonly access?: SearchFileOptions['access'];
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
  const input: SearchFileOptions = { path, access, patienceMs };
  const thread = startWorkerWhenCalled<WorkerOperations>(new URL('sqlite/worker.ts', import.meta.url), {
    input,
    whenBroken: (cause) => new RetryableError('The search thread has ended', { cause }),
  });
  let isClosed = false;
  const open = (): typeof thread => {
    if (isClosed) throw new PermanentError(`${path} was closed by this process.`);
    return thread;
  };
  const on = (index: string): typeof thread => {
    checkIndex(index);
    return open();
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
    // Until there is none.
    contents: (index) => batchesAfter(1, (after) => on(index).call('contents', index, after)),
    indexes: async () => await open().call('indexes'),
    drop: async (index) => await on(index).call('drop', index),
    check: async () => void (await open().call('indexes')),
    // Calls in hand are answered first.
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await thread[Symbol.asyncDispose]();
    },
  };
}
