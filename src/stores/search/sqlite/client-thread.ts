import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import { startWorker, type WorkerThread } from '../../../platform/worker.ts';
import type { ConnectionOptions } from './connection.ts';
import type { SqliteIndexes } from './indexes.ts';

type Thread = WorkerThread<Omit<SqliteIndexes, 'close'>>;

/** A client's thread: none until the first call, and another one for the next call after it broke. */
export class ClientThread {
  readonly #options: ConnectionOptions;
  #current: Thread | null = null;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** @throws {PermanentError} where it was closed. */
  get(): Thread {
    if (this.#isClosed) throw new PermanentError(`${this.#options.path} was closed by this process.`);
    return (this.#current ??= this.#started());
  }

  /** Calls in hand are answered first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#current?.[Symbol.asyncDispose]();
  }

  #started(): Thread {
    const thread: Thread = startWorker(new URL('worker.ts', import.meta.url), {
      input: this.#options,
      holdsProcess: false,
      whenBroken: (cause) => new RetryableError('The search thread has ended', { cause }),
    });
    thread.broken.catch(() => {
      this.#current = null;
    });
    return thread;
  }
}
