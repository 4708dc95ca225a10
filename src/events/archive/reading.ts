import { join } from 'node:path';

import { PermanentError } from '../../platform/errors.ts';
import type { Batch, LogRecord, Position } from '../log/port.ts';
import { archiveManifest, readKind, type ArchivedPartition, type Manifest } from './manifest.ts';
import { readSegment, type Damage } from './segment.ts';

/** An archive of a log, as its manifest was when it was opened: what a later run adds does not show. */
export interface Archive {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * @throws {UsageError} where the folder holds none.
 * @throws {PermanentError} where its manifest is damaged, or a newer release made it.
 */
export async function openArchive(folder: string): Promise<Archive> {
  const { body } = await readKind(folder);
  return { folder, manifest: archiveManifest(folder, body) };
}

export interface ReadOptions {
  /** Ends reading early, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Told of damage instead of a `PermanentError`; reading goes on with what is readable. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/**
 * The records of one partition in their order, as contiguous batches like those of a log: from the first archived
 * position to the last. Topics go by the contract's names, without a prefix.
 * @throws {PermanentError} where a file is damaged: it names the file, the line, and the positions before it.
 */
export async function* readPartition(
  archive: Archive,
  topic: string,
  { partition, from, files }: Pick<ArchivedPartition, 'partition' | 'from' | 'files'>,
  { signal, onDamage }: ReadOptions = {},
): AsyncGenerator<Batch, void, undefined> {
  let next: Position = from;
  const refuse = (damage: Damage): void => {
    if (!onDamage) throw damaged(archive, damage);
    onDamage(damage);
  };
  for (const file of files) {
    // Positions that no file answers for: holes, or records that had gone before they were archived.
    if (file.from > next) yield { from: next, next: file.from, records: [] };
    next = file.from;
    for await (const batch of readSegment({ folder: archive.folder, topic, partition, file }, refuse)) {
      if (signal?.aborted) return;
      yield batch;
      next = batch.next;
    }
  }
}

function damaged({ folder }: Archive, { path, line, problem, position }: Damage): PermanentError {
  const where = line === null ? '' : `, line ${line}`;
  return new PermanentError(
    `${join(folder, path)}${where}: ${problem}. What stands before position ${position} is readable; "archive --check" says what else is.`,
  );
}

export interface OrderOptions extends ReadOptions {
  /** Those topics alone; default all. */
  readonly topics?: readonly string[] | undefined;
}

/** Records in one chunk of `readInOrder`, at most. */
const CHUNK = 1000;

/**
 * All records in chunks, in the order in which they were appended: by the time that the log gave them, and always in that
 * of their positions within a partition. The same archive gives the same order.
 * @throws {PermanentError} where a file is damaged, as `readPartition` does.
 */
export async function* readInOrder(
  archive: Archive,
  { topics, ...options }: OrderOptions = {},
): AsyncGenerator<readonly LogRecord[], void, undefined> {
  const sources = archive.manifest.topics
    .filter(({ name }) => topics?.includes(name) ?? true)
    .flatMap(({ name, partitions }) => partitions.map((one) => readPartition(archive, name, one, options)))
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
