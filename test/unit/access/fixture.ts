import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { systemClock, type Clock } from '../../../src/platform/clock.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** A clock that stands still until it is moved. A sleeper wakes up when it has been moved far enough. */
export interface ManualClock extends Clock {
  /** The wall time. Setting it lets no time pass: nobody wakes up. */
  time: number;
  /** Lets so much time pass; a negative one sets the wall time back. */
  advance(ms: number): void;
  /** Moves on to where somebody wakes up, or to `end`; not at all where nobody sleeps and no end is given. */
  advanceToNext(end?: number): void;
}

export function manualClock(time = Date.parse('2026-11-20T10:00:00Z')): ManualClock {
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  let passed = 0;
  return {
    time,
    now() {
      return this.time;
    },
    monotonic: () => passed,
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((wake) => {
        const sleeper = { until: passed + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => (sleepers.delete(sleeper), wake()), { once: true });
      });
    },
    advanceToNext(end = Infinity) {
      const next = Math.min(end - this.time, ...[...sleepers].map(({ until }) => until - passed));
      if (next < Infinity) this.advance(next);
    },
    advance(ms) {
      this.time += ms;
      passed += Math.max(0, ms);
      for (const sleeper of sleepers) {
        if (sleeper.until > passed) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}

/** Lets time pass as it does: a sleeper that wakes up meanwhile has acted before it goes on. */
export async function passing(clock: ManualClock, ms: number): Promise<void> {
  const end = clock.time + ms;
  while (clock.time < end) {
    clock.advanceToNext(end);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }
}

/** Waits for the outcome. Where nothing moves any more, the clock moves on to where somebody wakes up. */
export async function driven<T>(clock: ManualClock, outcome: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = () => (isSettled = true);
  outcome.then(settled, settled);
  while (!isSettled) {
    for (let turn = 0; turn < 30; turn += 1) if (!isSettled) await setImmediate();
    if (!isSettled) clock.advanceToNext();
  }
  return await outcome;
}

/** A SQLite file of its own, and clients on it, all closed and removed at the end. */
export function openFile() {
  const folder = temporaryFolder();
  const clients: Documents[] = [];
  return {
    /** A client whose store's clock is the one given. */
    client(clock: Clock = systemClock): Documents {
      // The adapter also paces its attempts by its clock, and these must not stand still.
      const documents = openSqliteDocuments(join(folder, 'documents.db'), {
        clock: { ...systemClock, now: () => clock.now() },
      });
      clients.push(documents);
      return documents;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client[Symbol.asyncDispose]();
    },
  };
}

/** What goes wrong between a client and its store. */
export interface Faults {
  /** Every call fails before it does anything. */
  down: boolean;
  /** Every call takes until this is resolved. */
  hang: Promise<void> | null;
  /** So many next writes are applied, and their answers are lost. */
  answersToLose: number;
  /** Called after each write that was applied and before its answer, or its loss. */
  afterWrite: (collection: string) => Promise<void>;
  /** Calls by name. */
  readonly calls: Record<string, number>;
}

/** A client whose connection fails as told. */
export function faulty(documents: Documents): { readonly documents: Documents; readonly faults: Faults } {
  const faults: Faults = {
    down: false,
    hang: null,
    answersToLose: 0,
    afterWrite: () => Promise.resolve(),
    calls: {},
  };
  async function through(name: string, given: readonly unknown[]): Promise<unknown> {
    faults.calls[name] = (faults.calls[name] ?? 0) + 1;
    await faults.hang;
    if (faults.down) throw new RetryableError('The store is down');
    const method = Reflect.get(documents, name) as (...all: unknown[]) => unknown;
    const answer = await Reflect.apply(method, documents, given);
    if (name !== 'write') return answer;
    await faults.afterWrite(String(given[0]));
    if (faults.answersToLose === 0) return answer;
    faults.answersToLose -= 1;
    throw new RetryableError('The connection was cut');
  }
  const failing = new Proxy(documents, {
    get: (_, name) => {
      if (typeof name !== 'symbol' && name !== 'scan') return (...given: unknown[]) => through(name, given);
      return (Reflect.get(documents, name) as () => unknown).bind(documents);
    },
  });
  return { faults, documents: failing };
}
