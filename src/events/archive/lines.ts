import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { isJsonObject, type Json } from '../../platform/json.ts';
import type { LogRecord, UnreadableRange } from '../log/port.ts';

/**
 * A file of an archive is NDJSON: a first line that describes the file, then one record a line, each with a checksum of
 * its own, so that damage has a line and not only a file.
 */

export interface Header {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

export type Entry =
  | { readonly kind: 'record'; readonly record: LogRecord }
  | { readonly kind: 'unreadable'; readonly range: UnreadableRange };

const DESCRIPTION =
  'A part of a log. Each further line is one record: position, timestamp (Unix milliseconds, by the log), key, headers, and its value as text, or as value_base64 where it is not UTF-8. Lines with "unreadable" stand for positions that the log could not give. crc32 is that of the line as it would be without it, in UTF-8.';

export function headerLine({ topic, partition, from, to }: Header): string {
  const kind = 'archive-segment';
  return checked({ format: 1, kind, topic, partition, from, to, description: DESCRIPTION });
}

export function recordLine({ position, timestamp, key, headers, value }: LogRecord): string {
  return checked({ position, timestamp, key, headers, ...valueFields(value) });
}

/** By which a record is known again: its line has its time, its key, its headers and its value. */
export function lineDigest(record: LogRecord): string {
  return hash('sha256', recordLine(record));
}

export function unreadableLine({ from, to, timestamp, code, reason, bytes }: UnreadableRange): string {
  const kept = bytes && Buffer.from(bytes).toString('base64');
  return checked({ position: from, to, timestamp, unreadable: reason, code, bytes_base64: kept });
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

function checked(content: object): string {
  const text = JSON.stringify(content);
  return `${text.slice(0, -1)},"crc32":"${digits(crc32(text))}"}`;
}

function digits(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}

const TAIL = /^,"crc32":"([0-9a-f]{8})"\}$/;
const TAIL_BYTES = ',"crc32":"00000000"}'.length;
const BRACE = Buffer.from('}');

/** What a line says; null where it is not as it was written. */
function contentOf(line: Buffer): Record<string, unknown> | null {
  const [, sum] = TAIL.exec(line.subarray(-TAIL_BYTES).toString('latin1')) ?? [];
  // Over the bytes: as text, many a fault would have become the same character.
  const body = line.subarray(0, -TAIL_BYTES);
  if (digits(crc32(BRACE, crc32(body))) !== sum) return null;
  try {
    const content = JSON.parse(`${body.toString()}}`) as Json;
    return isJsonObject(content) ? { ...content } : null;
  } catch {
    return null;
  }
}

/** Whether a first line is that of this file. */
export function isHeader(line: Buffer, { topic, partition, from, to }: Header): boolean {
  const found = contentOf(line);
  const isOurs = found?.['kind'] === 'archive-segment' && found['format'] === 1;
  const isPlace = found?.['topic'] === topic && found['partition'] === partition;
  return isOurs && isPlace && found['from'] === from && found['to'] === to;
}

/** What a line stands for; null where it is damaged, or is no line of an archive. */
export function parseLine(line: Buffer, topic: string, partition: number): Entry | null {
  const content = contentOf(line);
  if (!content || !isCount(content['position']) || typeof content['timestamp'] !== 'number') return null;
  const { position, timestamp } = content as { readonly position: number; readonly timestamp: number };
  const place = { topic, partition, timestamp };
  if ('unreadable' in content) {
    const { to, unreadable: reason, code, bytes_base64: kept } = content as unknown as UnreadableFields;
    if (!isCount(to) || to <= position) return null;
    const bytes = kept === null ? null : Buffer.from(kept, 'base64');
    return { kind: 'unreadable', range: { ...place, from: position, to, code, reason, bytes } };
  }
  const { key, headers, value = null, value_base64: binary } = content as unknown as RecordFields;
  const texts = [key, value, binary].every(
    (text) => text === null || text === undefined || typeof text === 'string',
  );
  if (!texts || key === undefined || !isHeaders(headers)) return null;
  const text = value === null ? null : Buffer.from(value);
  const bytes = binary === undefined ? text : Buffer.from(binary, 'base64');
  return { kind: 'record', record: { ...place, position, key, headers, value: bytes } };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isHeaders(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

interface RecordFields {
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly value?: string | null;
  readonly value_base64?: string;
}

interface UnreadableFields {
  readonly to: number;
  readonly unreadable: string;
  readonly code: UnreadableRange['code'];
  readonly bytes_base64: string | null;
}
