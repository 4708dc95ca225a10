import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

import type { Batch, LogRecord, Position, UnreadableRange } from '../events/log/port.ts';
import type { ArchivedPartition, ArchiveManifest, KeptFolder, SegmentFile } from './manifest.ts';
import { PermanentError } from '../platform/errors.ts';
import { problemOf } from './damaged-files.ts';
import { parseLine } from './record-lines.ts';

export type Archive = KeptFolder<ArchiveManifest>;

/**
 * The records of one partition in their order, as contiguous batches like those of a log: from the first archived
 * position to the last. Topics go by the contract's names, without a prefix. Ends early where the signal is aborted.
 * @throws {PermanentError} where a file is damaged: nothing of that one has been handed out then.
 */
export async function* readPartition(
  { folder }: Archive,
  topic: string,
  { partition, from, files }: Pick<ArchivedPartition, 'partition' | 'from' | 'files'>,
  signal?: AbortSignal,
): AsyncGenerator<Batch, void, undefined> {
  let next: Position = from;
  for (const file of files) {
    // Positions that no file answers for: holes, or records that had gone before they were archived.
    if (file.from > next) yield { from: next, next: file.from, records: [] };
    for await (const batch of readSegment(folder, topic, partition, file)) {
      if (signal?.aborted) return;
      yield batch;
    }
    next = file.to;
  }
}

/** Records in one chunk of `readInOrder`, at most. */
const CHUNK = 1000;

/**
 * All records (or those of some topics) in chunks, in the order in which they were appended: by the time that the log gave them, and always in that
 * of their positions within a partition. The same archive gives the same order.
 * @throws {PermanentError} where a file is damaged, as `readPartition` does.
 */
export async function* readInOrder(
  archive: Archive,
  topics?: readonly string[],
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  const sources = archive.manifest.topics
    .filter(({ name }) => topics?.includes(name) ?? true)
    .flatMap(({ name, partitions }) => partitions.map((one) => readPartition(archive, name, one)))
    .map((batches) => ({ batches, records: [] as readonly LogRecord[], at: 0 }));
  try {
    await Promise.all(sources.map(refill));
    let chunk: LogRecord[] = [];
    for (;;) {
      let first: Source | null = null;
      for (const source of sources) {
        const record = source.records[source.at];
        if (record && record.timestamp < (first?.records[first.at]?.timestamp ?? Infinity)) first = source;
      }
      const record = first?.records[first.at];
      if (!first || !record) break;
      chunk.push(record);
      first.at += 1;
      if (first.at === first.records.length) await refill(first);
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = [];
    }
    if (chunk.length > 0) yield chunk;
  } finally {
    // A file that was read in part stays open otherwise.
    await Promise.all(sources.map(({ batches }) => batches.return()));
  }
}

interface Source {
  readonly batches: AsyncGenerator<Batch, void, undefined>;
  records: readonly LogRecord[];
  /** The next one of `records`; behind the last one where nothing is left. */
  at: number;
}

/** Takes the next batch that has records. */
async function refill(source: Source): Promise<void> {
  [source.records, source.at] = [[], 0];
  while (source.records.length === 0) {
    const { value, done } = await source.batches.next();
    if (done) return;
    source.records = value.records;
  }
}

const BATCH_RECORDS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file of an archive in contiguous batches, from its first position to its end.
 * @throws {PermanentError} where it is damaged, before anything of it is handed out.
 */
async function* readSegment(
  folder: string,
  topic: string,
  partition: number,
  file: SegmentFile,
): AsyncGenerator<Batch, void, undefined> {
  const path = join(folder, file.path);
  const problem = await problemOf(folder, file);
  if (problem !== null)
    throw new PermanentError(
      `${path}: ${problem}. "keep archive --check" says which other files are damaged.`,
    );
  let from = file.from;
  let records: LogRecord[] = [];
  let unreadable: UnreadableRange[] = [];
  let bytes = 0;
  const batchTo = (next: Position): Batch => {
    const batch = { from, next, records, ...(unreadable.length > 0 ? { unreadable } : {}) };
    [from, records, unreadable, bytes] = [next, [], [], 0];
    return batch;
  };
  for await (const line of linesIn(path)) {
    const entry = parseLine(line, topic, partition);
    if (entry.kind === 'record') records.push(entry.record);
    else unreadable.push(entry.range);
    bytes += line.length;
    if (records.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue;
    yield batchTo(entry.kind === 'record' ? entry.record.position + 1 : entry.range.to);
  }
  yield batchTo(file.to);
}

async function* linesIn(path: string): AsyncGenerator<string, void, undefined> {
  // An error of either comes to whoever reads the text.
  const text = pipeline(createReadStream(path), createGunzip(), () => undefined).setEncoding('utf8');
  let begun = '';
  for await (const chunk of text as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n');
    begun += first;
    for (const other of others) {
      yield begun;
      begun = other;
    }
  }
}
