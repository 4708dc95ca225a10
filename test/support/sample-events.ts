import { createDecoder } from '../../src/events/decode.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import type { LogRecord } from '../../src/events/log/port.ts';
import { EVENT_TYPES } from '../../src/events/types.ts';
import { unixMs } from '../../src/platform/instant.ts';

/** When the sample ends that tests look at. */
export const END = '2026-11-20T10:00:00.000Z';
/** A day after `END`. */
export const DAY_LATER = '2026-11-21T10:00:00.000Z';

const decode = createDecoder(EVENT_TYPES);

const TOPICS: Readonly<Record<string, string>> = {
  'catalog.category.defined.v1': 'catalog.categories',
  'catalog.entry.published.v1': 'catalog.entries',
  'catalog.entry.measured.v1': 'catalog.metrics',
  'monitor.target.defined.v1': 'monitor.targets',
  'monitor.probe.completed.v1': 'monitor.probes',
};

function recordOf(event: CloudEvent): LogRecord {
  return {
    topic: TOPICS[event.type] ?? event.type,
    partition: 0,
    position: 0,
    timestamp: unixMs(END),
    key: event.subject,
    value: Buffer.from(JSON.stringify(event)),
    headers: { 'content-type': 'application/cloudevents+json' },
  };
}

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
