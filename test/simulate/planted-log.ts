import type { Batch, Log } from '../../src/events/log/port.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { withFetch } from '../support/fetching.ts';

/** Logs that do what a planted bug would do. */

export function droppingLast(batch: Batch): Batch {
  return batch.records.length > 1 ? { ...batch, records: batch.records.slice(0, -1) } : batch;
}

export function withFetched(log: Log, change: (batch: Batch, from: number) => Batch): Log {
  return withFetch(log, async (assignment, from, limits) =>
    change(await assignment.fetch(from, limits), from),
  );
}

/** Of any record that stood somewhere nothing is left. */
export function showingNothing(log: Log): Log {
  return { ...log, read: async function* (): AsyncGenerator<never> {} };
}

/** The worker does not hear that its partition was taken away, and asks for it late. */
export function hearingLate(log: Log, clock: Clock): Log {
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
            confirm: async (waiting) => {
              await clock.sleep(30_000, assignment.signal);
              return assignment.confirm(waiting);
            },
          }),
      }),
  };
}

export function takingUnknownForEmpty(log: Log): Log {
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
