import { firstAppendedAt } from '../events/original-time.ts';
import { toInstant } from '../platform/time/instant.ts';
import type { ParkedEvent } from '../projecting/engine/parking.ts';
import type { Stored } from '../stores/documents/port.ts';

export type ParkedEventFields = ReturnType<typeof parkedEventFields>;

/** What is told of a parked event wherever it is shown, in the names in which scripts get it. */
export function parkedEventFields({ id, body }: Stored<ParkedEvent>) {
  const { rejection, state, position, to, parkedAt, redrives } = body;
  const { id: event_id, ...why } = rejection;
  return {
    id,
    state,
    ...why,
    ...(to === undefined ? {} : { positions: `${position} to ${to - 1}` }),
    event_id,
    recorded_at: toInstant(firstAppendedAt(body)),
    parked_at: toInstant(parkedAt),
    redrives,
  };
}
