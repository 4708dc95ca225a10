import { hash } from 'node:crypto';

import type { LogRecord, UnreadableRange } from '../events/log/port.ts';

/**
 * A file of an archive is NDJSON: a line is one record with its position, its timestamp (Unix milliseconds, by the log), its
 * key, its headers, and its value as text, or as `value_base64` where it is not UTF-8. Lines with `unreadable` stand for
 * positions that the log could not give.
 */
type Entry =
  | { readonly kind: 'record'; readonly record: LogRecord }
  | { readonly kind: 'unreadable'; readonly range: UnreadableRange };

export function recordLine({ position, timestamp, key, headers, value }: LogRecord): string {
  return JSON.stringify({ position, timestamp, key, headers, ...valueFields(value) });
}

/** By which a record is known again: its line has its time, its key, its headers and its value. */
export function lineDigest(record: LogRecord): string {
  return hash('sha256', recordLine(record));
}

export function unreadableLine({ from, to, timestamp, code, reason, bytes }: UnreadableRange): string {
  const kept = bytes && Buffer.from(bytes).toString('base64');
  return JSON.stringify({ position: from, to, timestamp, unreadable: reason, code, bytes_base64: kept });
}

/** Of text that is UTF-8, every byte survives: a byte order mark is kept, and nothing is normalised. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function valueFields(value: Uint8Array | null): object {
  if (value === null) return { value };
  try {
    return { value: UTF8.decode(value) };
  } catch {
    return { value_base64: Buffer.from(value).toString('base64') };
  }
}

/** What a line stands for; it is one that was written above, for the digest of its file was right. */
export function parseLine(line: string, topic: string, partition: number): Entry {
  const content = JSON.parse(line) as RecordFields | UnreadableFields;
  const { position, timestamp } = content;
  const place = { topic, partition, timestamp };
  if ('unreadable' in content) {
    const { to, unreadable: reason, code, bytes_base64: kept } = content;
    const bytes = kept === null ? null : Buffer.from(kept, 'base64');
    return { kind: 'unreadable', range: { ...place, from: position, to, code, reason, bytes } };
  }
  const { key, headers, value = null, value_base64: binary } = content;
  const text = value === null ? null : Buffer.from(value);
  const bytes = binary === undefined ? text : Buffer.from(binary, 'base64');
  return { kind: 'record', record: { ...place, position, key, headers, value: bytes } };
}

interface RecordFields extends Pick<LogRecord, 'position' | 'timestamp' | 'key' | 'headers'> {
  readonly value?: string | null;
  readonly value_base64?: string;
}

interface UnreadableFields extends Pick<UnreadableRange, 'to' | 'timestamp' | 'code'> {
  readonly position: number;
  readonly unreadable: string;
  readonly bytes_base64: string | null;
}
