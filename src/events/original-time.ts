import type { LogRecord } from './log/port.ts';

/**
 * When a record was first appended, where it was restored from an archive: the time of such a log is the time of the
 * restoring, and what was observed must not be later than what was told (`from_the_future`).
 */

/** The header that restoring adds: Unix milliseconds in decimal digits. Anything else under this name says nothing. */
export const ORIGINAL_TIME = 'catalog-original-time';

/** What sources of simulated histories begin with. */
export const SIMULATED = '/simulated/';

/**
 * The header for an event of a simulated history, whose log would have taken each event when it happened; none for any
 * other event. `time` in Unix milliseconds.
 */
export function simulatedTime(source: string, time: number): Readonly<Record<string, string>> {
  return source.startsWith(SIMULATED) && time >= 0 ? { [ORIGINAL_TIME]: String(time) } : {};
}

/** Unix milliseconds: the time in the header where that is earlier, else the log's own. */
export function firstAppendedAt({ headers, timestamp }: Pick<LogRecord, 'headers' | 'timestamp'>): number {
  const told = headers[ORIGINAL_TIME];
  return told !== undefined && isTime(told) ? Math.min(timestamp, Number(told)) : timestamp;
}

/** The record as it was first appended: its time, and without the header, which no limit of size was meant for. */
export function asFirstAppended(record: LogRecord): LogRecord {
  const told = record.headers[ORIGINAL_TIME];
  if (told === undefined || !isTime(told)) return record;
  const headers = Object.fromEntries(
    Object.entries(record.headers).filter(([name]) => name !== ORIGINAL_TIME),
  );
  return { ...record, headers, timestamp: firstAppendedAt(record) };
}

function isTime(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}
