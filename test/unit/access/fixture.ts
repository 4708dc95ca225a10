import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { systemClock, type Clock } from '../../../src/platform/time/clock.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import type { Documents, Outcome, Write } from '../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

/** At ten in the morning. */
export function morningClock(): TestClock {
  return createTestClock(Date.parse('2026-11-20T10:00:00Z'));
}

/** Lets time pass as it does: a sleeper that wakes up meanwhile has acted before it goes on. */
export async function passing(clock: TestClock, ms: number): Promise<void> {
  const end = clock.time + ms;
  while (clock.time < end) {
    clock.advanceToNext(end);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }
}

/** Waits for the outcome. Where nothing moves any more, the clock moves on to where somebody wakes up. */
export async function driven<T>(clock: TestClock, outcome: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = () => (isSettled = true);
  outcome.then(settled, settled);
  while (!isSettled) {
    for (let turn = 0; turn < 30; turn += 1) if (!isSettled) await setImmediate();
    if (!isSettled) clock.advanceToNext();
  }
  return await outcome;
}

/** A SQLite file of its own, and clients on it, all closed at the end. */
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
