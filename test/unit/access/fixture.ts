import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { systemClock, type Clock } from '../../../src/platform/time/clock.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import type { Documents, Outcome, Write } from '../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'access-'));
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
      rmSync(folder, { recursive: true });
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
  /** Collections whose answers are not lost, and of which `afterWrite` hears nothing. */
  spared: readonly string[];
  /** Called after each write that was applied and before its answer, or its loss. */
  afterWrite: (collection: string) => Promise<void>;
  /** So many next notices are not posted. */
  noticesToRefuse: number;
  /** Calls by name. */
  readonly calls: Record<string, number>;
  /** Documents by collection. */
  readonly documentsRead: Record<string, number>;
  readonly documentsWritten: Record<string, number>;
}

/** Attempts of a client at a write. */
const WRITE_ATTEMPTS = 3;

/** A client whose connection fails as told. */
export function faulty(documents: Documents): { readonly documents: Documents; readonly faults: Faults } {
  const faults: Faults = {
    down: false,
    hang: null,
    answersToLose: 0,
    spared: ['key-notices', 'quota-notices', 'quota-days'],
    afterWrite: () => Promise.resolve(),
    noticesToRefuse: 0,
    calls: {},
    documentsRead: {},
    documentsWritten: {},
  };
  async function through<T>(name: string, call: () => Promise<T>): Promise<T> {
    faults.calls[name] = (faults.calls[name] ?? 0) + 1;
    await faults.hang;
    if (faults.down) throw new RetryableError('The store is down');
    return await call();
  }
  /** As adapters do: the very same writes again, which tells what became of them. */
  async function write<Body>(
    collection: string,
    writes: readonly Write<Body>[],
  ): Promise<readonly Outcome[]> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await writeOnce(collection, writes);
      } catch (thrown) {
        if (attempt === WRITE_ATTEMPTS) throw thrown;
      }
  }
  async function writeOnce<Body>(
    collection: string,
    writes: readonly Write<Body>[],
  ): Promise<readonly Outcome[]> {
    if (collection.endsWith('-notices') && faults.noticesToRefuse > 0) {
      faults.noticesToRefuse -= 1;
      throw new RetryableError('The notice was not posted');
    }
    faults.documentsWritten[collection] = (faults.documentsWritten[collection] ?? 0) + writes.length;
    const outcomes = await documents.write(collection, writes);
    if (faults.spared.includes(collection)) return outcomes;
    await faults.afterWrite(collection);
    if (faults.answersToLose === 0) return outcomes;
    faults.answersToLose -= 1;
    throw new RetryableError('The connection was cut');
  }
  return {
    faults,
    documents: {
      declare: (spec) => through('declare', () => documents.declare(spec)),
      get: (collection, ids) =>
        through('get', async () => {
          const found = await documents.get<never>(collection, ids);
          faults.documentsRead[collection] = (faults.documentsRead[collection] ?? 0) + found.size;
          return found;
        }),
      versions: (collection, ids) => through('versions', () => documents.versions(collection, ids)),
      write: (collection, writes) => through('write', () => write(collection, writes)),
      remove: (collection, removals) => through('remove', () => documents.remove(collection, removals)),
      find: (collection, query) => through('find', () => documents.find(collection, query)),
      count: (collection, query) => through('count', () => documents.count(collection, query)),
      scan: (collection) => documents.scan(collection),
      collections: () => through('collections', () => documents.collections()),
      drop: (collection) => through('drop', () => documents.drop(collection)),
      now: () => through('now', () => documents.now()),
      [Symbol.asyncDispose]: () => documents[Symbol.asyncDispose](),
    },
  };
}
