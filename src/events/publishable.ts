import { readStructured, RECORD_BYTES, recordSize } from './parse-cloudevent.ts';
import { identify } from './envelope.ts';
import { validateEvent } from './validate-event.ts';
import type { JsonObject } from '../platform/json-value.ts';
import { parseInstant, unixMs } from '../platform/time/instant.ts';
import type { NewRecord } from './log/port.ts';
import { firstAppendedAt, simulatedTime } from './original-time.ts';
import { expected, problem, type Problem, type Rejection } from './rejection.ts';
import { recordFor, EVENT_TYPES } from './event-types.ts';

/** From the publisher's side: what would be decoded at the other end, said before anything is appended. */

type Publishable =
  | {
      readonly outcome: 'valid';
      readonly record: NewRecord;
      /** With its version, as written. */
      readonly type: string;
      /** null where events of its type have none. */
      readonly revision: number | null;
      /** Fields that nobody reads: `data.desciption`. */
      readonly unknownPaths: readonly string[];
    }
  | { readonly outcome: 'invalid'; readonly rejection: Rejection };

const KNOWN = new Map(EVENT_TYPES.map((type) => [type.name, type]));

/**
 * One line of NDJSON as the record to append, on the topic of its type, without a prefix. The line is held against the
 * very rules that decoding applies; and its type must be known, since nobody would read it otherwise. The bytes are
 * handed on as they came. Of a simulated history, the record says that it was first appended when its event happened.
 * `now` stands for the time of arrival in the log, Unix milliseconds; simulated events arrived when they happened.
 */
export function publishable(value: Uint8Array, now: number = Date.now()): Publishable {
  if (value.byteLength > RECORD_BYTES) return refuse(tooLarge('more'));
  const content = readStructured(value);
  if ('problem' in content) return refuse(content.problem);
  // Nothing is checked yet: a time that is none leaves the arrival as it is.
  const { source, time } = content.event;
  const happened = typeof time === 'string' ? parseInstant(time) : null;
  const isTold = typeof source === 'string' && happened !== null;
  const simulated = isTold ? simulatedTime(source, unixMs(happened)) : {};
  const timestamp = firstAppendedAt({ headers: simulated, timestamp: now });
  const interpreted = validateEvent(KNOWN, content.event, { key: null, topic: null, timestamp });
  if ('problem' in interpreted) return refuse(interpreted.problem, content.event);
  if ('unknownType' in interpreted) return refuse(unknownType(interpreted.unknownType), content.event);
  const { event, unknownPaths } = interpreted;
  const told = recordFor(event.type, event.subject, value);
  const headers = { ...told.headers, ...simulatedTime(event.source, unixMs(event.time)) };
  const record = { ...told, headers };
  const size = recordSize(record);
  if (size > RECORD_BYTES) return refuse(tooLarge(`${size} with its key and headers`), content.event);
  const type = content.event['type'] as string;
  const { revision } = event.data as { readonly revision?: number };
  return { outcome: 'valid', record, type, revision: revision ?? null, unknownPaths };
}

function refuse(why: Problem, event: JsonObject | null = null): Publishable {
  return { outcome: 'invalid', rejection: { ...why, ...identify(event, null) } };
}

function tooLarge(got: string): Problem {
  return problem('too_large', `line: expected at most ${RECORD_BYTES} bytes, got ${got}`);
}

function unknownType(type: string): Problem {
  const accepted = EVENT_TYPES.map(({ name, versions }) => `${name}.v${versions.length}`).join(', ');
  return expected('unknown_type', 'type', `one of ${accepted}`, type);
}
