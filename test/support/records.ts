import { createDecoder } from '../../src/events/decode.ts';
import { EVENT_TYPES } from '../../src/events/event-types.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { LogRecord } from '../../src/events/log/port.ts';
import type { Identity, Rejection, RejectionCode } from '../../src/events/rejection.ts';
import type { JsonObject } from '../../src/platform/json-value.ts';
import { recordOf } from './events.ts';

/** Records as the log hands them out, good and bad. */

/** The event in the binary mode of the Kafka binding: attributes in headers, `data` in the value. */
export function binaryRecordOf({ data, ...attributes }: CloudEvent): LogRecord {
  const headers = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value] as const);
  return {
    ...recordOf({ data, ...attributes }),
    headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
    value: Buffer.from(JSON.stringify(data)),
  };
}

/** A record of these very bytes, where an entry's event would stand. */
export function recordOfBytes(value: Uint8Array | string): LogRecord {
  return {
    topic: 'catalog.entries',
    partition: 0,
    position: 0,
    timestamp: Date.parse('2026-11-20T10:00:00Z'),
    key: null,
    headers: {},
    value: Buffer.from(value),
  };
}

/** The event with other attributes, or without those that are undefined. */
export function withAttributes(event: CloudEvent, attributes: Record<string, unknown>): LogRecord {
  return {
    ...recordOf(event, { value: Buffer.from(JSON.stringify({ ...event, ...attributes })) }),
    key: null,
  };
}

/** The event with a field of its data left out. */
export function without(event: CloudEvent, field: string): CloudEvent {
  const data: JsonObject = Object.fromEntries(Object.entries(event.data).filter(([name]) => name !== field));
  return { ...event, data };
}

/** A rejection as it is kept and announced; what is not said of the event could not be read. */
export function rejectedFor(
  code: RejectionCode,
  reason: string,
  { id = null, source = null, type = null, subject = null }: Partial<Identity> = {},
): Rejection {
  return { code, reason, id, source, type, subject };
}

const decode = createDecoder(EVENT_TYPES);

/** Why a record is refused. Throws where it is not. */
export function rejectionOf(record: LogRecord): Rejection {
  const result = decode(record);
  if (result.outcome !== 'rejected') throw new Error(`expected a rejection, got ${JSON.stringify(result)}`);
  return result.rejection;
}
