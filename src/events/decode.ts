import { parseCloudEvent } from './parse-cloudevent.ts';
import { identify } from './envelope.ts';
import type { CatalogEvent, EventType } from './event.ts';
import { validateEvent } from './validate-event.ts';
import type { LogRecord } from './log/port.ts';
import { asFirstAppended } from './original-time.ts';
import type { Rejection } from './rejection.ts';

export type { Rejection } from './rejection.ts';

/** What a record turned out to be. */
export type DecodeResult =
  | {
      readonly outcome: 'event';
      readonly event: CatalogEvent;
      /** Fields that today's schema does not know: dropped from the event, and part of its digest. */
      readonly unknownFields: number;
    }
  | {
      readonly outcome: 'skipped';
      readonly reason: 'tombstone' | 'unknown_type';
      /** With its version, as received; null for a tombstone. */
      readonly type: string | null;
    }
  | { readonly outcome: 'rejected'; readonly rejection: Rejection };

/** Pure, and never throws, whatever the bytes. */
export type Decode = (record: LogRecord) => DecodeResult;

/** Of these types; `topicPrefix` stands before every topic's name in the log. */
export function createDecoder(
  types: readonly EventType[],
  { topicPrefix = '' }: { readonly topicPrefix?: string } = {},
): Decode {
  const known = new Map(types.map((type) => [type.name, { ...type, topic: `${topicPrefix}${type.topic}` }]));
  return (found) => {
    const record = asFirstAppended(found);
    if (record.value === null) return { outcome: 'skipped', reason: 'tombstone', type: null };
    const content = parseCloudEvent(record, record.value);
    if ('problem' in content) return reject({ ...content.problem, ...identify(null, record.key) });
    const interpreted = validateEvent(known, content.event, record);
    if ('problem' in interpreted)
      return reject({ ...interpreted.problem, ...identify(content.event, record.key) });
    if ('unknownType' in interpreted) {
      return { outcome: 'skipped', reason: 'unknown_type', type: interpreted.unknownType };
    }
    const { event, unknownPaths } = interpreted;
    return { outcome: 'event', event, unknownFields: unknownPaths.length };
  };
}

function reject(rejection: Rejection): DecodeResult {
  return { outcome: 'rejected', rejection };
}
