import { type Collection, type Db, MongoClient } from 'mongodb';

import { backoff } from '../../../platform/time/backoff.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { refusedIds } from '../port.ts';
import { isUnreachable, translateMongo } from './errors.ts';
import { createReachability } from './wait-while-unreachable.ts';
import { FIXED, partsOf, settings } from './connection-settings.ts';
import type { StoredDocument } from './stored-document.ts';

/** Pauses between attempts, in milliseconds. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

export type MongoConnection = ReturnType<typeof connectMongo>;

/**
 * One client with one pool, connected when it is first used, until it is closed.
 * @throws {PermanentError} where the URL is none.
 */
export function connectMongo(url: string, clock: Clock, patienceMs: number) {
  const client = clientOf(url, patienceMs);
  const db = client.db(partsOf(url).database);
  const hosts = client.options.srvHost ?? client.options.hosts.map(String).join(', ');
  const reachability = createReachability(ping, clock);
  let isClosed = false;

  /** A client whose first attempt to connect has failed connects by itself no more, but does when it is told to. */
  async function ping(): Promise<void> {
    refuseIfClosed();
    await client.connect();
    await db.command({ ping: 1 });
  }

  /** What the driver throws from a client that was closed has many forms. */
  function refuseIfClosed(cause?: unknown): void {
    if (isClosed) throw new PermanentError(`MongoDB at ${hosts}: closed by this process.`, { cause });
  }

  /**
   * Runs calls of the driver, again and again while they fail in a way that may pass, and translates what they throw.
   * The work must be safe to repeat. The pauses grow, drawn at random so that many clients do not come back at once.
   * Nothing is begun after `signal` is aborted; what refuses single documents is the caller's to repeat.
   */
  async function attempt<T>(work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const began = clock.monotonic();
    for (let attempts = 1; ; attempts += 1) {
      const pause = backoff(attempts, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      try {
        refuseIfClosed();
        await reachability.reached();
        if (signal?.aborted) throw new RetryableError('Nobody waits for this call any more.');
        return await work(db);
      } catch (thrown) {
        refuseIfClosed(thrown);
        if (isUnreachable(thrown)) reachability.lost();
        const translated = translateMongo(hosts, thrown);
        const over = clock.monotonic() - began + pause > patienceMs;
        const isBlaming = refusedIds(translated).length > 0;
        if (!(translated instanceof RetryableError) || over || isBlaming || signal?.aborted) throw translated;
      }
      await clock.sleep(pause, signal);
    }
  }

  return {
    attempt,
    attemptOn: async <T>(
      collection: string,
      work: (collection: Collection<StoredDocument>) => Promise<T>,
      signal?: AbortSignal,
    ): Promise<T> => await attempt((it) => work(it.collection<StoredDocument>(collection)), signal),
    close: async (): Promise<void> => {
      isClosed = true;
      await client.close();
    },
  };
}

function clientOf(url: string, patienceMs: number): MongoClient {
  const { given } = partsOf(url);
  const defaults = Object.entries(settings(patienceMs)).filter(([name]) => !given.has(name.toLowerCase()));
  try {
    return new MongoClient(url, { ...Object.fromEntries(defaults), ...FIXED });
  } catch (thrown) {
    // Not kept as the cause: it may quote the URL, and the URL holds a password.
    throw new PermanentError(`CATALOG_DOCUMENTS_URL: ${messageOf(thrown).replaceAll(url, 'the URL')}.`);
  }
}
