import { STRUCTURED } from './content.ts';
import type { CloudEvent } from './envelope.ts';
import type { NewRecord } from './log/port.ts';
import { topicOf } from './types.ts';

/**
 * An event as a record in the structured mode, on the topic of its type, without a prefix.
 * @throws {Error} where nobody knows the type.
 */
export function structuredRecord(event: CloudEvent): NewRecord {
  return recordFor(event.type, event.subject, Buffer.from(JSON.stringify(event)));
}

/** The type with or without its version. */
export function recordFor(type: string, subject: string, value: Uint8Array): NewRecord {
  const topic = topicOf(type);
  if (topic === null) throw new Error(`No topic is known for events of type ${type}`);
  return { topic, key: subject, value, headers: { 'content-type': STRUCTURED } };
}
