import { createDecoder } from '../../src/events/decode.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import { EVENT_TYPES } from '../../src/events/event-types.ts';
import { recordOf } from './events.ts';

/** When the sample ends that tests look at. */
export const END = '2026-11-20T10:00:00.000Z';
/** A day after `END`. */
export const DAY_LATER = '2026-11-21T10:00:00.000Z';

const decode = createDecoder(EVENT_TYPES);

/** Those of the monitor, decoded, and all that are not valid or have fields that the schemas do not know. */
export function sorted(told: readonly CloudEvent[]) {
  const into = { monitored: new Array<CatalogEvent>(), unfit: new Array<unknown>() };
  for (const event of told) {
    const result = decode(recordOf(event));
    if (result.outcome !== 'event' || result.unknownFields > 0) into.unfit.push({ event, result });
    else if (result.event.type.startsWith('monitor.')) into.monitored.push(result.event);
  }
  return into;
}
