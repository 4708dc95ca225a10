import type { LogRecord } from '../port.ts';
import { SPAN } from './statements.ts';

/** As `Statements.records` selects them: id, key, value, headers, timestamp. */
export type RecordRow = readonly [number, string | null, Uint8Array | null, string | null, number];

export function toRecord(
  [id, key, value, headers, timestamp]: RecordRow,
  topic: string,
  partition: number,
  partitionId: number,
): LogRecord {
  const position = id - partitionId * SPAN;
  return { topic, partition, position, key, value, headers: headersFromText(headers), timestamp };
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

export function headersToText(headers: Readonly<Record<string, string>>): string | null {
  const text = JSON.stringify(headers);
  return text === '{}' ? null : text;
}

function headersFromText(text: string | null): Readonly<Record<string, string>> {
  return text === null ? NO_HEADERS : (JSON.parse(text) as Record<string, string>);
}
