import type { Log, PartitionEnds, Position, PositionRange } from '../events/log/port.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import { instantAt } from '../platform/time/instant.ts';
import { lock, makeEmptyFolder } from './prepare-folder.ts';
import {
  FORMAT,
  readManifest,
  writeManifest,
  type ArchivedPartition,
  type ArchiveManifest,
} from './manifest.ts';
import { writeSegment } from './segment-writer.ts';
import { lineDigest } from './record-lines.ts';

export interface ArchiveOptions {
  /** By the contract's names; those that the log does not have are left out. */
  readonly topics: readonly string[];
  /** What stands before their names in the log. */
  readonly topicPrefix: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Ends the run; what was archived by then stays. */
  readonly signal: AbortSignal;
  readonly onProgress?: (positions: number, total: number) => void;
  /** Positions in one file, at most. */
  readonly filePositions?: number;
}

export interface ArchiveResult {
  readonly manifest: ArchiveManifest;
  /** By this run. */
  readonly records: number;
  readonly files: number;
  /** Records that had gone from the log since the run before. */
  readonly gaps: readonly PositionRange[];
  readonly interrupted: boolean;
}

const FILE_POSITIONS = 100_000;

/**
 * Writes what a log holds, and its archive does not yet, up to where the log ends at the call. Nothing is appended to a
 * file that is there: a run adds files, and the manifest names each as soon as it is whole and on the disk. So an archive
 * is valid at any moment, and a run that was killed loses no more than the file it was at: the next one writes it again.
 * @throws {UsageError} where the folder is no archive, or one of topics with another prefix.
 * @throws {PermanentError} where the archive is damaged, cannot be written, or is of another log.
 */
export async function archiveLog(log: Log, folder: string, options: ArchiveOptions): Promise<ArchiveResult> {
  const { signal, onProgress, filePositions = FILE_POSITIONS, now } = options;
  // Before a folder is made: a log that is not there makes none.
  const found = await readTopics(log, options);
  if ((await readManifest(folder)) === null) await makeEmptyFolder(folder);
  using _lock = lock(folder);
  const manifest = await manifestOf(folder, options);
  const keep = async (): Promise<void> => {
    manifest.updated_at = instantAt(now());
    await writeManifest(folder, manifest);
  };
  const { spans, gaps } = await compare(log, manifest, found, signal);
  if (!signal.aborted) await keep();
  const total = spans.reduce((sum, { archived, end }) => sum + end - archived.to, 0);
  const done = { records: 0, files: 0, positions: 0 };
  for (const { topic, archived, end } of spans) {
    const { name, inLog } = topic;
    const { partition } = archived;
    while (archived.to < end && !signal.aborted) {
      const [from, to] = [archived.to, Math.min(archived.to + filePositions, end)];
      const written = await writeSegment(log, folder, { topic: name, inLog, partition, from, to, signal });
      if (!written) break;
      if (written.file) archived.files.push(written.file);
      archived.last = written.last ?? archived.last;
      archived.to = to;
      await keep();
      done.records += written.file?.records ?? 0;
      done.files += written.file ? 1 : 0;
      done.positions += to - from;
      onProgress?.(done.positions, total);
    }
  }
  return { manifest, records: done.records, files: done.files, gaps, interrupted: signal.aborted };
}

interface FoundTopic {
  readonly name: string;
  readonly inLog: string;
  readonly retentionMs: number | null;
  /** By number. */
  readonly ends: readonly PartitionEnds[];
}

async function readTopics(log: Log, { topics, topicPrefix }: ArchiveOptions): Promise<readonly FoundTopic[]> {
  const found: FoundTopic[] = [];
  for (const name of topics) {
    const inLog = `${topicPrefix}${name}`;
    const settings = await log.topicSettings(inLog);
    if (!settings) continue;
    const ends = (await log.ends(inLog)).toSorted((a, b) => a.partition - b.partition);
    found.push({ name, inLog, retentionMs: settings.retentionMs, ends });
  }
  return found;
}

/** That of the folder, or an empty one. A topic that has gone from the log stays in it. */
async function manifestOf(folder: string, { topicPrefix, now }: ArchiveOptions): Promise<ArchiveManifest> {
  const found = await readManifest(folder);
  if (!found) {
    const at = instantAt(now());
    const times = { created_at: at, updated_at: at };
    return { format: FORMAT, kind: 'archive', ...times, topic_prefix: topicPrefix, topics: [] };
  }
  if (found.kind !== 'archive') throw new PermanentError(`${folder} holds a ${found.kind}, and no archive.`);
  if (found.topic_prefix === topicPrefix) return found;
  throw new UsageError(
    `${folder} is of topics with the prefix "${found.topic_prefix}", and CATALOG_TOPIC_PREFIX is "${topicPrefix}". Name a new folder, or set the prefix of the archive.`,
  );
}

/** New records of one partition: from where its archive ends. */
interface Span {
  readonly topic: FoundTopic;
  readonly archived: ArchivedPartition;
  readonly end: Position;
}

/** Compares every partition with its archive before the first one is written, and notes where each goes on. */
async function compare(
  log: Log,
  manifest: ArchiveManifest,
  topics: readonly FoundTopic[],
  signal: AbortSignal,
): Promise<{ readonly spans: readonly Span[]; readonly gaps: readonly PositionRange[] }> {
  const spans: Span[] = [];
  const gaps: PositionRange[] = [];
  for (const topic of topics) {
    const { name, inLog, retentionMs, ends } = topic;
    let known = manifest.topics.find((one) => one.name === name);
    if (!known) manifest.topics.push((known = { name, retention_ms: retentionMs, partitions: [] }));
    known.retention_ms = retentionMs;
    if (known.partitions.length > ends.length)
      throw new UsageError(
        `${inLog} has ${ends.length} partitions, in the archive ${known.partitions.length}: it is another log. Name a new folder.`,
      );
    for (const found of ends) {
      const { partition, earliest, latest, readable: end = latest } = found;
      const archived = (known.partitions[partition] ??= emptyPartition(partition, earliest));
      await requireSameLog(log, inLog, found, archived, signal);
      if (earliest > archived.to) {
        const gap = { from: archived.to, to: earliest };
        archived.gaps.push(gap);
        archived.to = earliest;
        gaps.push({ topic: name, partition, ...gap });
      }
      spans.push({ topic, archived, end });
    }
  }
  return { spans, gaps };
}

function emptyPartition(partition: number, earliest: Position): ArchivedPartition {
  return { partition, from: earliest, to: earliest, gaps: [], last: null, files: [] };
}

/** @throws {PermanentError} where the log is younger than the archive, or holds another record where that ends. */
async function requireSameLog(
  log: Log,
  topic: string,
  { earliest, latest, readable: end = latest }: PartitionEnds,
  { partition, to, last }: ArchivedPartition,
  signal: AbortSignal,
): Promise<void> {
  if (end < to) throw another(`${topic}/${partition} ends at ${end}, and its archive at ${to}`);
  if (!last || last.position < earliest) return;
  const range = { topic, partition, from: last.position, to: last.position + 1, signal };
  for await (const { records } of log.read(range)) {
    const [record] = records;
    if (record && lineDigest(record) !== last.sha256)
      throw another(`${topic}/${partition} holds another record at ${last.position} than its archive`);
  }
}

function another(difference: string): PermanentError {
  return new PermanentError(
    `${difference}: this log is not the one that was archived. Name a new folder for it.`,
  );
}
