import { type Collection, type Db, MongoClient, type MongoClientOptions } from 'mongodb';

import type { Clock } from '../../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { refusedIds } from '../port.ts';
import { isUnreachable, translateMongo } from './errors.ts';
import type { StoredDocument } from './stored.ts';

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly patienceMs: number;
}

/** What the URL may say otherwise. */
function settings(patienceMs: number): MongoClientOptions {
  return {
    appName: 'catalog-read-api',
    maxPoolSize: 20,
    connectTimeoutMS: 2 * patienceMs,
    // A call that gets no answer at all: the connection is closed and the call fails.
    socketTimeoutMS: 2 * patienceMs,
    serverSelectionTimeoutMS: patienceMs,
    waitQueueTimeoutMS: patienceMs,
    // How often it looks for a primary where there is none.
    minHeartbeatFrequencyMS: 1000,
  };
}

/**
 * What the guarantees of the port rest on, whatever the URL says.
 *
 * - Writes are acknowledged when a majority has them in its journal, so that neither a failover nor a power cut takes
 *   back what a caller was told.
 * - Reads are of the primary, with read concern `local`: a primary has every acknowledged write. With `majority` a
 *   primary that was just elected may answer, for a moment, from before writes that its predecessor acknowledged.
 *   What `local` may show and a failover take back is a write that nobody was told of: whoever writes on top of it finds
 *   out by its guard, and whoever goes on without writing asks for versions that are durable: read concern `majority`.
 *   A primary that has lost its majority may answer from the past until it notices, some ten
 *   seconds at most; it acknowledges no write meanwhile.
 * - Repetitions are ours, under the guard, for every deployment alike; the driver's own need sessions.
 */
const FIXED = {
  readPreference: 'primary',
  readConcernLevel: 'local',
  w: 'majority',
  journal: true,
  retryReads: false,
  retryWrites: false,
  wtimeoutMS: 0,
} as const satisfies MongoClientOptions;

/** One client with one pool, connected when it is first used, until it is closed. */
export class MongoConnection {
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #hosts: string;
  readonly #options: ConnectionOptions;
  readonly #reachability: Reachability;
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
    this.#reachability = new Reachability(() => this.#ping(), options.clock);
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
    for (let pause = 10; ; pause = Math.min(2 * pause, 500)) {
      try {
        this.#refuseIfClosed();
        await this.#reachability.reached();
        refuseIfAborted(signal);
        return await work(this.#db);
      } catch (thrown) {
        this.#refuseIfClosed(thrown);
        if (isUnreachable(thrown)) this.#reachability.lost();
        const translated = translateMongo(this.#hosts, thrown);
        const over = clock.monotonic() - began + pause > patienceMs;
        const isBlaming = refusedIds(translated).length > 0;
        if (!(translated instanceof RetryableError) || over || isBlaming || signal?.aborted) throw translated;
      }
      await clock.sleep(pause * (0.5 + Math.random() / 2), signal);
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

function refuseIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RetryableError('Nobody waits for this call any more.');
}

/** The database that the URL names, else ours, and its options by their names in lower case. */
function partsOf(url: string): { readonly database: string; readonly given: ReadonlySet<string> } {
  const [, database, query = ''] = /^[^/]*\/\/[^/?]*(?:\/([^?]*))?(?:\?(.*))?$/.exec(url) ?? [];
  const given = [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase());
  return {
    database: database === undefined || database === '' ? 'catalog' : decodeURIComponent(database),
    given: new Set(given),
  };
}

/** The least time between two pings, in milliseconds; up to a fifth more is drawn, so that processes spread out. */
const PING_MS = 1000;

/**
 * Holds calls back while a server is away:
 *
 *   there --a call cannot reach it--> away --a ping is answered--> there
 *
 * The first ping goes out at once, so that one connection that broke costs a moment. Then there is one a second, for
 * all the calls that wait: by itself the driver makes a new connection for each attempt of each call.
 */
class Reachability {
  readonly #ping: () => Promise<unknown>;
  readonly #clock: Clock;
  #isAway = false;
  #pinging: Promise<void> | null = null;
  #pingedAt = Number.NEGATIVE_INFINITY;

  constructor(ping: () => Promise<unknown>, clock: Clock) {
    this.#ping = ping;
    this.#clock = clock;
  }

  lost(): void {
    this.#isAway = true;
  }

  /** Resolves when the server is there, as far as is known; fails as the ping does where it is not. */
  async reached(): Promise<void> {
    if (!this.#isAway) return;
    this.#pinging ??= this.#pingOnce();
    await this.#pinging;
  }

  async #pingOnce(): Promise<void> {
    try {
      const since = this.#clock.monotonic() - this.#pingedAt;
      if (since < PING_MS) await this.#clock.sleep(PING_MS - since + (Math.random() * PING_MS) / 5);
      this.#pingedAt = this.#clock.monotonic();
      await this.#ping();
      this.#isAway = false;
    } finally {
      this.#pinging = null;
    }
  }
}
