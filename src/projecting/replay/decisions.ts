import type { LogRecord } from '../../events/log/port.ts';
import type { Cursor, Documents, Page } from '../../stores/documents/port.ts';
import { PARKED, type ParkedEvent } from '../engine/parking.ts';

/** What the live build has left out of its documents: parked for the time being, or discarded for good. */
export interface Decisions {
  leavesOut(record: Pick<LogRecord, 'topic' | 'partition' | 'position' | 'timestamp'>): boolean;
}

const PAGE = 500;

/** Of this build; none where it is null. */
export async function decisionsOf(documents: Documents, build: string | null): Promise<Decisions> {
  const single = new Map<string, number>();
  const ranges = new Map<string, ParkedEvent[]>();
  if (build !== null) {
    for await (const body of leftOut(documents, build)) {
      const place = `${body.topic}/${body.partition}`;
      if (body.to === undefined) single.set(`${place}/${body.position}`, body.timestamp);
      else ranges.set(place, [...(ranges.get(place) ?? []), body]);
    }
  }
  const isEmpty = single.size + ranges.size === 0;
  return {
    leavesOut: ({ topic, partition, position, timestamp }) => {
      if (isEmpty) return false;
      const place = `${topic}/${partition}`;
      // Under a log that took the place of another one, a position means another record, of another time.
      if (single.get(`${place}/${position}`) === timestamp) return true;
      const own = ranges.get(place) ?? [];
      return own.some(({ position: from, to = from }) => from <= position && position < to);
    },
  };
}

async function* leftOut(documents: Documents, build: string): AsyncGenerator<ParkedEvent> {
  const states: readonly ParkedEvent['state'][] = ['parked', 'discarded'];
  let after: Cursor | null = null;
  do {
    const where = { state: { in: states }, readModel: build };
    const query = { where, order: [], limit: PAGE, ...(after === null ? {} : { after }) };
    const page: Page<ParkedEvent> = await documents.find<ParkedEvent>(PARKED.name, query);
    for (const { body } of page.documents) yield body;
    after = page.next;
  } while (after !== null);
}
