import type { LogRecord } from '../../events/log/port.ts';
import type { Cursor, Documents, Page, Stored } from '../../stores/documents/port.ts';
import { lanesOf } from '../builds/lanes.ts';
import { laneName } from '../engine/lane.ts';
import { PARKED, parkedRangeId, type ParkedEvent } from '../engine/parking.ts';

/** What the live build has left out of its documents: parked for the time being, or discarded for good. */
export interface Decisions {
  leavesOut(record: Pick<LogRecord, 'topic' | 'partition' | 'position' | 'timestamp'>): boolean;
}

const PAGE = 500;

export const NONE: Decisions = { leavesOut: () => false };

export async function decisionsOf(documents: Documents, build: string): Promise<Decisions> {
  const single = new Map<string, number>();
  const ranges = new Map<string, ParkedEvent[]>();
  const incarnations = new Map(
    (await lanesOf(documents, build)).map((lane) => [laneName(lane), lane.incarnation]),
  );
  for await (const { id, body } of leftOut(documents, build)) {
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

async function* leftOut(documents: Documents, build: string): AsyncGenerator<Stored<ParkedEvent>> {
  const states: readonly ParkedEvent['state'][] = ['parked', 'discarded'];
  let after: Cursor | null = null;
  do {
    const where = { state: { in: states }, readModel: build };
    const query = { where, order: [], limit: PAGE, ...(after === null ? {} : { after }) };
    const page: Page<ParkedEvent> = await documents.find<ParkedEvent>(PARKED.name, query);
    yield* page.documents;
    after = page.next;
  } while (after !== null);
}
