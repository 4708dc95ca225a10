import type { LogRecord } from '../port.ts';
import { SPAN } from './statements.ts';

export interface RecordRow {
  readonly id: number;
  readonly key: string | null;
  readonly value: Uint8Array | null;
  readonly headers: string | null;
  readonly timestamp: number;
}

export function toRecord(row: RecordRow, topic: string, partition: number, partitionId: number): LogRecord {
  return {
    topic,
    partition,
    position: row.id - partitionId * SPAN,
    key: row.key,
    value: row.value,
    headers: headersFromText(row.headers),
    timestamp: row.timestamp,
  };
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

export function headersToText(headers: Readonly<Record<string, string>>): string | null {
  const text = JSON.stringify(headers);
  return text === '{}' ? null : text;
}

function headersFromText(text: string | null): Readonly<Record<string, string>> {
  return text === null ? NO_HEADERS : (JSON.parse(text) as Record<string, string>);
}
