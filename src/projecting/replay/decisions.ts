import type { LogRecord } from '../../events/log/port.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { incarnationsOf } from '../builds/parked-in-builds.ts';
import { laneName } from '../engine/lane.ts';
import { eventsLeftOut } from '../engine/parked-events.ts';
import { parkedRangeId, type ParkedEvent } from '../engine/parking.ts';

/** What the live build has left out of its documents: parked for the time being, or discarded for good. */
export interface Decisions {
  leavesOut(record: Pick<LogRecord, 'topic' | 'partition' | 'position' | 'timestamp'>): boolean;
}

export const NONE: Decisions = { leavesOut: () => false };

export async function decisionsOf(documents: Documents, build: string): Promise<Decisions> {
  const single = new Map<string, number>();
  const ranges = new Map<string, ParkedEvent[]>();
  const incarnations = await incarnationsOf(documents, build);
  for await (const page of eventsLeftOut(documents, build))
    for (const { id, body } of page) {
      const { position, to, timestamp } = body;
      const place = `${body.topic}/${body.partition}`;
      if (to === undefined) {
        single.set(`${place}/${position}`, timestamp);
      } else if (id === parkedRangeId(body, incarnations.get(laneName(body)) ?? 0, position, to)) {
        ranges.set(place, [...(ranges.get(place) ?? []), body]);
      }
    }
  if (single.size + ranges.size === 0) return NONE;
  return {
    leavesOut: ({ topic, partition, position, timestamp }) => {
      const place = `${topic}/${partition}`;
      // Under a log that took the place of another one, a position means another record, of another time. What could not
      // be read may have no time: how often that was accepted tells the logs apart.
      if (single.get(`${place}/${position}`) === timestamp) return true;
      const own = ranges.get(place) ?? [];
      return own.some(({ position: from, to = from }) => from <= position && position < to);
    },
  };
}
