import { UsageError } from '../../platform/errors.ts';
import { toInstant } from '../../platform/instant.ts';
import type { Log, Position } from '../log/port.ts';
import { openFolder, type ArchiveFolder } from './archive-folder.ts';
import { requireSameLog, startOf } from './continuation.ts';
import { writeManifest, type ArchivedPartition, type ArchivedTopic, type Manifest } from './manifest.ts';
import { writeSegment } from './segment-writer.ts';

export interface ArchiveOptions {
  /** By the contract's names; those that the log does not have are left out. */
  readonly topics: readonly string[];
  /** What stands before their names in the log. */
  readonly topicPrefix: string;
  /** For a new archive: Unix milliseconds; the first record of each partition that is not older, and all after it. */
  readonly since: number | null;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Ends the run; what was archived by then stays. */
  readonly signal: AbortSignal;
  readonly onProgress?: (positions: number, total: number) => void;
  /** Positions in one file, at most. */
  readonly filePositions?: number;
}

export interface Archived {
  readonly manifest: Manifest;
  /** By this run. */
  readonly records: number;
  readonly files: number;
  /** Records that had gone from the log since the run before. */
  readonly gaps: readonly Gap[];
  readonly interrupted: boolean;
}

export interface Gap {
  readonly topic: string;
  readonly partition: number;
  readonly from: Position;
  readonly to: Position;
}

const FILE_POSITIONS = 100_000;

/**
 * Writes what a log holds, and its archive does not yet, up to where the log ends at the call. Nothing is appended to a
 * file that is there: a run adds files, and the manifest names each as soon as it is whole and on the disk. So an archive
 * is valid at any moment, and a run that was killed loses no more than the file it was at.
 * @throws {UsageError} where the folder is no archive, or one that was asked for in other terms.
 * @throws {PermanentError} where the archive is damaged, cannot be written, or is of another log.
 */
export async function archiveLog(log: Log, path: string, options: ArchiveOptions): Promise<Archived> {
  // Before a folder is made: a log that is not there makes none.
  const found = await readTopics(log, options);
  using folder = await openFolder(path, { ...options, now: options.now() });
  const run = { ...options, log, folder, manifest: folder.manifest, records: 0, files: 0, gaps: [] };
  return await goOn(run, found);
}

interface FoundTopic {
  readonly name: string;
  readonly inLog: string;
  readonly retentionMs: number | null;
  readonly partitions: readonly { readonly earliest: Position; readonly end: Position }[];
}

async function readTopics(log: Log, { topics, topicPrefix }: ArchiveOptions): Promise<readonly FoundTopic[]> {
  const found: FoundTopic[] = [];
  for (const name of topics) {
    const inLog = `${topicPrefix}${name}`;
    const settings = await log.topicSettings(inLog);
    if (!settings) continue;
    const ends = (await log.ends(inLog)).toSorted((a, b) => a.partition - b.partition);
    const partitions = ends.map(({ earliest, latest, readable = latest }) => ({ earliest, end: readable }));
    found.push({ name, inLog, retentionMs: settings.retentionMs, partitions });
  }
  return found;
}

interface Run extends ArchiveOptions {
  readonly log: Log;
  readonly folder: ArchiveFolder;
  manifest: Manifest;
  records: number;
  files: number;
  readonly gaps: Gap[];
}

/** New records of one partition. */
interface Span {
  readonly topic: FoundTopic;
  readonly partition: number;
  readonly from: Position;
  readonly to: Position;
}

async function goOn(run: Run, found: readonly FoundTopic[]): Promise<Archived> {
  const spans = await plan(run, found);
  const total = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  let before = 0;
  for (const span of spans) {
    await writeSpan(run, span, (positions) => run.onProgress?.(before + positions, total));
    if (run.signal.aborted) break;
    before += span.to - span.from;
  }
  const { manifest, records, files, gaps, signal } = run;
  return { manifest, records, files, gaps, interrupted: signal.aborted };
}

/** Compares every partition with its archive before the first one is written, and notes where each begins. */
async function plan(run: Run, found: readonly FoundTopic[]): Promise<readonly Span[]> {
  const spans: Span[] = [];
  const topics: ArchivedTopic[] = [];
  for (const topic of found) {
    const known = run.manifest.topics.find(({ name }) => name === topic.name)?.partitions ?? [];
    const partitions: ArchivedPartition[] = [];
    if (known.length > topic.partitions.length)
      throw new UsageError(
        `${topic.inLog} has ${topic.partitions.length} partitions, in the archive ${known.length}: it is another log. Name a new folder.`,
      );
    for (const [partition, { earliest, end }] of topic.partitions.entries()) {
      const place = { topic: topic.inLog, partition, earliest, end };
      const archived = known[partition];
      if (archived) await requireSameLog(run.log, place, archived, run.signal);
      const begin = archived?.to ?? (await startOf(run.log, place, run.since, run.signal));
      const from = Math.max(begin, earliest);
      const gap = from > begin ? [{ from: begin, to: from }] : [];
      run.gaps.push(...gap.map((one) => ({ topic: topic.name, partition, ...one })));
      const { gaps = [], ...rest } = archived ?? { partition, from, records: 0, last: null, files: [] };
      partitions.push({ ...rest, to: from, gaps: [...gaps, ...gap] });
      if (from < end) spans.push({ topic, partition, from, to: end });
    }
    topics.push({ name: topic.name, retention_ms: topic.retentionMs, partitions });
  }
  // A topic that has gone from the log stays in the archive.
  const gone = run.manifest.topics.filter(({ name }) => !topics.some((one) => one.name === name));
  if (!run.signal.aborted) await keep(run, [...topics, ...gone]);
  return spans;
}

async function writeSpan(run: Run, span: Span, onProgress: (positions: number) => void): Promise<void> {
  const { topic, partition } = span;
  const step = run.filePositions ?? FILE_POSITIONS;
  for (let from = span.from; from < span.to; from += step) {
    const to = Math.min(from + step, span.to);
    const written = await writeSegment(run.log, run.folder.path, {
      topic: topic.name,
      inLog: topic.inLog,
      partition,
      from,
      to,
      signal: run.signal,
      onProgress: (positions) => onProgress(from - span.from + positions),
    });
    if (!written) return;
    const { file, last } = written;
    run.records += file?.records ?? 0;
    run.files += file ? 1 : 0;
    const grown = (one: ArchivedPartition): ArchivedPartition => ({
      ...one,
      to,
      records: one.records + (file?.records ?? 0),
      last: last ?? one.last,
      files: file ? [...one.files, file] : one.files,
    });
    const topics = run.manifest.topics.map((one) =>
      one.name === topic.name
        ? {
            ...one,
            partitions: one.partitions.map((own) => (own.partition === partition ? grown(own) : own)),
          }
        : one,
    );
    await keep(run, topics);
  }
}

async function keep(run: Run, topics: readonly ArchivedTopic[]): Promise<void> {
  const manifest = { ...run.manifest, updated_at: toInstant(run.now()) ?? '', topics: [...topics] };
  await writeManifest(run.folder.path, manifest);
  run.manifest = manifest;
}
