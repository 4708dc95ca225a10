import { type Collection, type Db, MongoClient } from 'mongodb';

import { backoff } from '../../../platform/time/backoff.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { refusedIds } from '../port.ts';
import { isUnreachable, translateMongo } from './errors.ts';
import { createReachability } from './reachability.ts';
import { FIXED, partsOf, settings } from './connection-settings.ts';
import type { StoredDocument } from './stored-document.ts';

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly patienceMs: number;
}

/** Pauses between attempts, in milliseconds. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** One client with one pool, connected when it is first used, until it is closed. */
export class MongoConnection {
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #hosts: string;
  readonly #options: ConnectionOptions;
  readonly #reachability: ReturnType<typeof createReachability>;
  #closed = false;

  /** @throws {PermanentError} where the URL is none. */
  constructor(url: string, options: ConnectionOptions) {
    const { given, database } = partsOf(url);
    const defaults = Object.entries(settings(options.patienceMs)).filter(
      ([name]) => !given.has(name.toLowerCase()),
    );
    try {
      this.#client = new MongoClient(url, { ...Object.fromEntries(defaults), ...FIXED });
    } catch (thrown) {
      // Not kept as the cause: it may quote the URL, and the URL holds a password.
      throw new PermanentError(`CATALOG_DOCUMENTS_URL: ${messageOf(thrown).replaceAll(url, 'the URL')}.`);
    }
    this.#db = this.#client.db(database);
    this.#hosts = this.#client.options.srvHost ?? this.#client.options.hosts.map(String).join(', ');
    this.#options = options;
    this.#reachability = createReachability(() => this.#ping(), options.clock);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client.close();
  }

  /**
   * Runs calls of the driver, again and again while they fail in a way that may pass, and translates what they throw.
   * The work must be safe to repeat. The pauses grow, drawn at random so that many clients do not come back at once.
   * Nothing is begun after `signal` is aborted; what refuses single documents is the caller's to repeat.
   */
  async attempt<T>(work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { clock, patienceMs } = this.#options;
    const began = clock.monotonic();
    for (let attempt = 1; ; attempt += 1) {
      const pause = backoff(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      try {
        this.#refuseIfClosed();
        await this.#reachability.reached();
        if (signal?.aborted) throw new RetryableError('Nobody waits for this call any more.');
        return await work(this.#db);
      } catch (thrown) {
        this.#refuseIfClosed(thrown);
        if (isUnreachable(thrown)) this.#reachability.lost();
        const translated = translateMongo(this.#hosts, thrown);
        const over = clock.monotonic() - began + pause > patienceMs;
        const isBlaming = refusedIds(translated).length > 0;
        if (!(translated instanceof RetryableError) || over || isBlaming || signal?.aborted) throw translated;
      }
      await clock.sleep(pause, signal);
    }
  }

  async attemptOn<T>(
    collection: string,
    work: (collection: Collection<StoredDocument>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return await this.attempt((db) => work(db.collection<StoredDocument>(collection)), signal);
  }

  /** A client whose first attempt to connect has failed connects by itself no more, but does when it is told to. */
  async #ping(): Promise<void> {
    this.#refuseIfClosed();
    await this.#client.connect();
    await this.#db.command({ ping: 1 });
  }

  /** What the driver throws from a client that was closed has many forms. */
  #refuseIfClosed(cause?: unknown): void {
    if (this.#closed)
      throw new PermanentError(`MongoDB at ${this.#hosts}: closed by this process.`, { cause });
  }
}
