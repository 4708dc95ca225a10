import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Log, LogRecord, NewRecord } from '../../../src/events/log/port.ts';
import { archiveLog, type ArchiveResult, type ArchiveOptions } from '../../../src/keep/archive-log.ts';
import { readInOrder } from '../../../src/keep/archive-reader.ts';
import { openArchive } from '../../../src/keep/manifest.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { readTopic } from '../../support/log-fixture.ts';
import { newPath, openAt } from '../../support/sqlite-log.ts';

/** Archives of small logs, and what stands in them. */

export const TOPIC = 'catalog.entries';

export function record(key: string | null, value: Uint8Array | string | null = key, headers = {}): NewRecord {
  return { topic: TOPIC, key, value: typeof value === 'string' ? Buffer.from(value) : value, headers };
}

export async function logWith(records: readonly NewRecord[], partitions = 3, path = newPath()): Promise<Log> {
  const log = openAt(path);
  await fill(log, records, partitions);
  return log;
}

export async function fill(log: Log, records: readonly NewRecord[], partitions: number): Promise<void> {
  await log.ensureTopics([{ name: TOPIC, partitions, retentionMs: null }]);
  if (records.length > 0) await log.append(records);
}

/** So many records, of which the log makes several positions a partition. */
export function many(count: number, from = 0): readonly NewRecord[] {
  return Array.from({ length: count }, (_, index) => record(`key-${from + index}`));
}

export function newFolder(): string {
  return join(temporaryFolder(), 'archive');
}

export function archived(
  log: Log,
  folder: string,
  options: Partial<ArchiveOptions> = {},
): Promise<ArchiveResult> {
  return archiveLog(log, folder, {
    topics: [TOPIC],
    topicPrefix: '',
    now: () => Date.parse('2026-11-20T10:00:00Z'),
    signal: new AbortController().signal,
    ...options,
  });
}

/** A log with these records, and a folder with its archive. */
export async function archivedLog(
  records: readonly NewRecord[],
  { partitions = 3, ...options }: Partial<ArchiveOptions> & { readonly partitions?: number } = {},
): Promise<{ readonly log: Log; readonly folder: string }> {
  const log = await logWith(records, partitions);
  const folder = newFolder();
  await archived(log, folder, options);
  return { log, folder };
}

export async function recordsIn(folder: string): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const chunk of readInOrder(await openArchive(folder))) records.push(...chunk);
  return records;
}

/** The records of a log, partition by partition. */
export function recordsOf(log: Log): Promise<readonly LogRecord[]> {
  return readTopic(log, TOPIC);
}

/** Values as bytes that compare alike, whatever holds them; ordered by place. */
export function plain(records: readonly LogRecord[]): readonly object[] {
  return records
    .toSorted((a, b) => a.partition - b.partition || a.position - b.position)
    .map(({ value, ...rest }) => ({ ...rest, value: value && Buffer.from(value).toString('hex') }));
}

/** Flips a bit of a file: in its middle, or at another share of its length. */
export function damage(path: string, at = 0.5, bit = 0): void {
  const bytes = readFileSync(path);
  const index = Math.floor(at * bytes.length);
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
}
