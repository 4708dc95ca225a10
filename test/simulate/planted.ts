import type { Batch, Log } from '../../src/events/log/port.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { CHECKPOINTS } from '../../src/projecting/engine/lane.ts';
import { PARKED } from '../../src/projecting/engine/parking.ts';
import type { Documents, Version, Write } from '../../src/stores/documents/port.ts';
import type { Marked } from '../../src/stores/outbox.ts';
import type { Search } from '../../src/stores/search/port.ts';
import type { Planted } from './stage.ts';

export interface PlantedBug {
  readonly bug: string;
  readonly planted: Planted;
  readonly seenBy: RegExp;
  /** A storm that has seen it, tried before all others; 1 where nothing is said. It need not be right for ever. */
  readonly storm?: number;
}

const INDEX_DIFFERS = /the index is what the documents say/;

/**
 * Bugs that the simulation must catch. The engine itself has no hooks for them, so each one stands in front of a store
 * and does to the calls what the bug would do.
 */
export const PLANTED: readonly PlantedBug[] = [
  {
    bug: 'documents are written without a guard',
    storm: 2,
    planted: { documents: (documents) => withoutGuard(documents, 'notes@1') },
    seenBy: /no regress: .* of . fell/,
  },
  {
    bug: 'a replaced worker is not stopped: it goes on writing checkpoints',
    planted: { documents: (documents) => withoutGuard(documents, CHECKPOINTS.name) },
    seenBy: /no regress: the (checkpoint|epoch)/,
  },
  {
    bug: 'the checkpoint is written before the documents',
    planted: { documents: (documents) => writingLate(documents, 'notes@1') },
    seenBy: /progress is honest/,
  },
  {
    bug: 'the checkpoint is written before events are parked',
    planted: { documents: (documents) => writingLate(documents, PARKED.name) },
    seenBy: /progress is honest/,
  },
  {
    bug: 'versions are counters',
    planted: { documents: countingVersions },
    seenBy: /progress is honest|no regress: the epoch/,
  },
  {
    bug: 'the last record of a batch is dropped',
    planted: { log: (log) => withFetched(log, droppingLast) },
    seenBy: /nothing is lost|progress is honest/,
  },
  {
    bug: 'a batch that did not start at the checkpoint is folded',
    storm: 4,
    planted: { log: (log) => withFetched(log, (batch, from) => ({ ...batch, from })) },
    seenBy: /nothing is lost|progress is honest|no regress: the checkpoint/,
  },
  {
    bug: 'a failed write is taken for a success',
    storm: 2,
    planted: { documents: neverFailing },
    seenBy: /progress is honest/,
  },
  {
    bug: 'a conflict is taken for a success',
    storm: 3,
    planted: { documents: neverConflicting },
    seenBy: /progress is honest/,
  },
  {
    bug: 'a mark is cleared before the search task has succeeded',
    planted: { search: (search) => ({ ...search, put: notWaiting(search) }) },
    seenBy: /the index is what the documents say|has stopped and still works/,
  },
  {
    bug: 'a failed search task is ignored',
    planted: { search: ignoringFailures },
    seenBy: INDEX_DIFFERS,
  },
  {
    bug: 'a document that changed while it was sent is not marked again',
    storm: 9,
    planted: { fedFrom: neverConflicting },
    seenBy: INDEX_DIFFERS,
  },
  {
    bug: 'a log that has overtaken the checkpoint is not compared with what was read',
    storm: 3,
    planted: { log: showingNothing },
    seenBy: /never silent/,
  },
  {
    bug: 'a worker goes on claiming what was taken away from it, and one that has lost a lane waits for half a minute',
    planted: { log: hearingLate },
    seenBy: /recovery: (the lag is|.* is claimed by another worker)/,
  },
  {
    bug: 'ends that are not known are taken for those of an empty log',
    storm: 13,
    planted: { log: takingUnknownForEmpty },
    seenBy: /halted|never silent/,
  },
  {
    bug: 'what an old primary shows is taken for durable',
    storm: 9,
    planted: { documents: trustingEveryRead },
    seenBy: /progress is honest/,
  },
  {
    bug: 'what fails without a name is never tried again',
    planted: { documents: neverTryingAgain },
    seenBy: /recovery: (the lag stays|it does not come to pass)/,
  },
  {
    bug: 'ages are measured by a clock that is set',
    planted: { clock: (clock) => ({ ...clock, monotonic: () => clock.now() }) },
    seenBy: /recovery|never silent|the index is what the documents say/,
  },
  {
    bug: 'health is judged by the lanes that were claimed, not by those that were assigned',
    storm: 2,
    planted: { judged: (lanes) => lanes.filter(({ state }) => state === 'running') },
    seenBy: /health is honest/,
  },
  {
    bug: 'a removal is not confirmed',
    planted: { fedFrom: withoutConfirming },
    seenBy: /answers are honest: the removal of . is taken for final as remove/,
  },
];

/** Reads the version at the moment of the write, as a store without conditions would. */
function withoutGuard(documents: Documents, guarded: string): Documents {
  return {
    ...documents,
    write: async (collection, writes) => {
      if (collection !== guarded) return documents.write(collection, writes);
      const versions = await documents.versions(
        collection,
        writes.map(({ id }) => id),
      );
      return documents.write(
        collection,
        writes.map((write) => ({ ...write, read: versions.get(write.id) ?? null })),
      );
    },
  };
}

/** Says that it has written, and writes after the next checkpoint. */
function writingLate(documents: Documents, late: string): Documents {
  const postponed: (() => Promise<unknown>)[] = [];
  return {
    ...documents,
    write: async (collection, writes) => {
      if (collection === late) {
        postponed.push(() => documents.write(collection, writes));
        return writes.map(() => 'done');
      }
      const outcomes = await documents.write(collection, writes);
      for (const write of postponed.splice(0)) await write().catch(() => undefined);
      return outcomes;
    },
  };
}

/** Tokens that the next writer makes again: a repeated write takes somebody else's success for its own. */
function countingVersions(documents: Documents): Documents {
  const counters = new Map<Version | null, Version>();
  const own = new Map<string, Version>();
  const counted = <Body>(write: Write<Body>): Write<Body> => {
    const read = counters.get(write.read) ?? write.read;
    const version = String(Number(read ?? 0) + 1);
    counters.set(write.version, version);
    own.set(`${write.id} ${version}`, write.version);
    return { ...write, read, version };
  };
  return {
    ...documents,
    write: (collection, writes) => documents.write(collection, writes.map(counted)),
    // A worker that looks whether a checkpoint is still its own knows the counts that it has made itself.
    versions: async (collection, ids, options) => {
      const found = await documents.versions(collection, ids, options);
      if (collection !== CHECKPOINTS.name) return found;
      return new Map([...found].map(([id, version]) => [id, own.get(`${id} ${version}`) ?? version]));
    },
  };
}

function droppingLast(batch: Batch): Batch {
  return batch.records.length > 1 ? { ...batch, records: batch.records.slice(0, -1) } : batch;
}

function withFetched(log: Log, change: (batch: Batch, from: number) => Batch): Log {
  return {
    ...log,
    subscribe: (group, topics, handlers) =>
      log.subscribe(group, topics, {
        ...handlers,
        assigned: (assignment) =>
          handlers.assigned({
            ...assignment,
            fetch: async (from, limits) => change(await assignment.fetch(from, limits), from),
          }),
      }),
  };
}

function neverFailing(documents: Documents): Documents {
  return {
    ...documents,
    write: (collection, writes) => documents.write(collection, writes).catch(() => writes.map(() => 'done')),
  };
}

function neverConflicting(documents: Documents): Documents {
  return {
    ...documents,
    write: async (collection, writes) => {
      const outcomes = await documents.write(collection, writes);
      return collection === CHECKPOINTS.name ? outcomes : outcomes.map(() => 'done');
    },
  };
}

/** Answers at once, and puts whenever it may. */
function notWaiting(search: Search): Search['put'] {
  return async (index, entries) => {
    search.put(index, entries).catch(() => undefined);
    return { outcome: 'done' };
  };
}

function ignoringFailures(search: Search): Search {
  const put: Search['put'] = async (index, entries) => {
    await search.put(index, entries);
    return { outcome: 'done' };
  };
  return { ...search, put };
}

/** Takes a removal for final as soon as it is acknowledged. */
function withoutConfirming(documents: Documents): Documents {
  const final = <Body>(write: Write<Body>): Write<Body> => {
    const { dirty, ...body } = write.body as Marked;
    return dirty?.mark === 'confirm' ? { ...write, body: body as Body } : write;
  };
  return { ...documents, write: (collection, writes) => documents.write(collection, writes.map(final)) };
}

/** Of any record that stood somewhere nothing is left. */
function showingNothing(log: Log): Log {
  return { ...log, read: async function* (): AsyncGenerator<never> {} };
}

/** The worker does not hear that its partition was taken away, and asks for it late. */
function hearingLate(log: Log, clock: Clock): Log {
  return {
    ...log,
    subscribe: (group, topics, handlers) =>
      log.subscribe(group, topics, {
        ...handlers,
        assigned: (assignment) =>
          handlers.assigned({
            ...assignment,
            signal: new AbortController().signal,
            fetch: async (from, limits) => {
              if (assignment.signal.aborted) await clock.sleep(limits.maxWaitMs, limits.signal);
              return assignment.fetch(from, limits);
            },
            confirm: async () => {
              await clock.sleep(30_000, assignment.signal);
              return assignment.confirm();
            },
          }),
      }),
  };
}

function takingUnknownForEmpty(log: Log): Log {
  const known = new Map<string, number>();
  return {
    ...log,
    ends: async (topic) => {
      const ends = await log.ends(topic);
      known.set(topic, Math.max(ends.length, known.get(topic) ?? 0));
      if (ends.length > 0) return ends;
      return Array.from({ length: known.get(topic) ?? 0 }, (_, partition) => ({
        partition,
        earliest: 0,
        latest: 0,
      }));
    },
  };
}

function trustingEveryRead(documents: Documents): Documents {
  return { ...documents, versions: (collection, ids) => documents.versions(collection, ids) };
}

/** What failed is left alone, as by a lane that has halted. */
function neverTryingAgain(documents: Documents): Documents {
  return {
    ...documents,
    write: (collection, writes, options) =>
      documents.write(collection, writes, options).catch((thrown: unknown) => {
        if (thrown instanceof RetryableError) throw thrown;
        return new Promise<never>(() => undefined);
      }),
  };
}
