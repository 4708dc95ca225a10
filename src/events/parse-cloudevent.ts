import { isContainer, isJsonObject, type Json, type JsonObject } from '../platform/json-value.ts';
import type { LogRecord } from './log/port.ts';
import { expected, problem, type Problem } from './rejection.ts';

/**
 * From a record's bytes to the attributes and the data of a CloudEvent, unchecked. Both content modes of the Kafka
 * protocol binding (CloudEvents 1.0.2) come out as one object: that of the structured mode.
 */

/** A record's key, headers and value together. */
export const RECORD_BYTES = 256 * 1024;
/** Levels of objects and lists, the envelope being the first. */
const LEVELS = 8;

/** An object whose fields have been looked at by nobody, or what is wrong with the record. */
type Content = { readonly event: JsonObject } | { readonly problem: Problem };

/** Reads a record that has a value. Never throws, whatever the bytes. */
export function parseCloudEvent(record: LogRecord, value: Uint8Array): Content {
  const size = recordSize(record);
  if (size > RECORD_BYTES) {
    const accepted = `at most ${RECORD_BYTES} bytes of key, headers and value`;
    return { problem: problem('too_large', `record: expected ${accepted}, got ${size}`) };
  }
  const { values, contentType } = readHeaders(record.headers);
  if (contentType.startsWith('application/cloudevents')) {
    if (contentType === STRUCTURED) return readStructured(value);
    return { problem: expected('bad_envelope', 'content-type', STRUCTURED, contentType) };
  }
  if (values.has('ce_specversion') || values.has('ce_type')) return readBinary(values, contentType, value);
  // Neither header: a producer that has forgotten one. An envelope in the value is plain enough.
  return readStructured(value);
}

export const STRUCTURED = 'application/cloudevents+json';

/** The size of a record in bytes, as its limit counts it: key, headers and value. */
export function recordSize({ key, headers, value }: Pick<LogRecord, 'key' | 'headers' | 'value'>): number {
  const keyBytes = key === null ? 0 : Buffer.byteLength(key);
  return keyBytes + readHeaders(headers).bytes + (value?.byteLength ?? 0);
}

/** What the headers of a record say. */
interface HeaderFields {
  /** Of names and values together. */
  readonly bytes: number;
  /** By their names in lower case: these are compared without regard to case. */
  readonly values: ReadonlyMap<string, string>;
  readonly contentType: string;
}

/** Those that were read last: the log hands out one object for all records in a row with the same headers. */
let latest: { readonly headers: LogRecord['headers']; readonly fields: HeaderFields } | null = null;

/** Made anew only where they are not those of the record before. */
export function readHeaders(headers: LogRecord['headers']): HeaderFields {
  if (latest?.headers === headers) return latest.fields;
  const values = new Map<string, string>();
  let bytes = 0;
  for (const [name, text] of Object.entries(headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text);
    values.set(name.toLowerCase(), text);
  }
  const fields = { bytes, values, contentType: mediaType(values.get('content-type') ?? '') };
  latest = { headers, fields };
  return fields;
}

/** The whole event stands in the value. */
export function readStructured(value: Uint8Array): Content {
  const parsed = parseJson(value);
  if ('problem' in parsed) return parsed;
  const event = parsed.json;
  if (!isJsonObject(event)) return { problem: expected('bad_envelope', 'value', 'a CloudEvent', event) };
  return isDeeperThan(event, LEVELS) ? { problem: tooDeep('value', LEVELS) } : { event };
}

/** The attributes stand in headers, the value is the data. */
function readBinary(headers: ReadonlyMap<string, string>, contentType: string, value: Uint8Array): Content {
  if (contentType !== '' && !isJson(contentType)) {
    return { problem: expected('bad_envelope', 'content-type', 'application/json', contentType) };
  }
  const parsed = parseJson(value);
  const attributes = Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('ce_')).map(([name, text]) => [name.slice(3), text]),
  );
  if ('problem' in parsed) return parsed;
  // The limit is that of the structured mode, where the data stands one level down.
  if (isDeeperThan(parsed.json, LEVELS - 1)) return { problem: tooDeep('data', LEVELS - 1) };
  return { event: { ...attributes, data: parsed.json } };
}

/** `application/json` and all that ends in `/json` or `+json` (CloudEvents JSON format 1.0.2, section 3.1). */
export function isJson(contentType: string): boolean {
  return /^[^/\s]+\/(?:[^/\s]+\+)?json$/.test(mediaType(contentType));
}

/** A media type without its parameters, in lower case. */
function mediaType(text: string): string {
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase();
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(value: Uint8Array): { readonly json: Json } | { readonly problem: Problem } {
  if (isFramed(value)) return { problem: framed(value) };
  let text: string;
  try {
    text = UTF8.decode(value);
  } catch {
    return { problem: problem('not_json', 'value: expected UTF-8, got bytes that are not') };
  }
  try {
    return { json: JSON.parse(text) as Json };
  } catch (thrown) {
    return { problem: problem('not_json', `value: expected JSON: ${(thrown as SyntaxError).message}`) };
  }
}

/** Serializers of schema registries put a zero byte and the schema's id, four bytes, in front of the value. */
const FRAME_BYTES = 5;

/** No JSON begins with a zero byte. */
function isFramed(value: Uint8Array): boolean {
  return value.byteLength > FRAME_BYTES && value[0] === 0;
}

function framed(value: Uint8Array): Problem {
  const id = Buffer.from(value.buffer, value.byteOffset).readUInt32BE(1);
  const got = `the frame of a schema registry (a zero byte and the id of a schema, ${id}) in front`;
  return problem('framed', `value: expected JSON alone, got ${got}: publish with a plain JSON serializer`);
}

function tooDeep(path: string, levels: number): Problem {
  return problem('too_deep', `${path}: expected at most ${levels} levels of objects and lists, got more`);
}

/** Goes down no further than needed: whoever nests 100,000 levels must not exhaust the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (!isContainer(value)) return false;
  return (
    levels === 0 ||
    Object.values(value).some((inner) => isContainer(inner) && isDeeperThan(inner, levels - 1))
  );
}
