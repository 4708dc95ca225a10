import type { Clock } from '../time/clock.ts';
import { type DatabaseSync, isBusy } from './node-sqlite.ts';

/** What is run on an open database: transactions, attempts while it is busy, and statements that are kept prepared. */

/** Runs `work` in one write transaction: all of it is committed, or none. The work must be synchronous. */
export function transact<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (thrown) {
    // SQLite rolls back by itself on some errors (a full disk); a second rollback would hide the first error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

/** Runs reads in one transaction, so that they see one state of the file. The work must be synchronous. */
export function snapshot<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN');
  try {
    return work();
  } finally {
    if (database.isTransaction) database.exec('COMMIT');
  }
}

export interface Patience {
  readonly clock: Clock;
  /** How long to go on trying, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * Repeats synchronous work for as long as another connection holds the write lock, and leaves the thread to others
 * between the attempts. So the database's own busy timeout, which blocks the thread, can be a few milliseconds.
 * Throws what the last attempt threw once patience has run out; every other error passes through at once.
 */
export async function retryWhileBusy<T>(work: () => T, { clock, patienceMs }: Patience): Promise<T> {
  const began = clock.monotonic();
  let paused = 0;
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      // Attempts take time as well, and so does whatever else the thread does. A machine that slept counts its pauses alone.
      if (!isBusy(thrown) || Math.max(paused, clock.monotonic() - began) >= patienceMs) throw thrown;
    }
    // Drawn at random, so that many waiting writers do not come back at the same moment.
    const pause = 5 + Math.random() * 25;
    await clock.sleep(pause);
    paused += pause;
  }
}
