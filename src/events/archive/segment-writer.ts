import { join } from 'node:path';

import { cannotBeWritten, syncFolder } from '../../platform/durable-files.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { Batch, Log, LogRecord, Position, UnreadableRange } from '../log/port.ts';
import { headerLine, lineDigest, recordLine, unreadableLine } from './lines.ts';
import { segmentPath, type ArchivedFile, type ArchivedPartition } from './manifest.ts';
import { openSegmentFile } from './segment-file.ts';

export interface SegmentToWrite {
  readonly topic: string;
  /** The topic's name in the log. */
  readonly inLog: string;
  readonly partition: number;
  readonly from: Position;
  readonly to: Position;
  readonly signal: AbortSignal;
  /** Told how many positions have been passed. */
  readonly onProgress: (positions: number) => void;
}

interface WrittenSegment {
  /** null where there was nothing between the two positions. */
  readonly file: ArchivedFile | null;
  readonly last: ArchivedPartition['last'];
}

/** Writes the records of some positions into a file of its own; null, and no file, where the signal was aborted. */
export async function writeSegment(
  log: Log,
  folder: string,
  segment: SegmentToWrite,
): Promise<WrittenSegment | null> {
  const { topic, inLog, partition, from, to, signal } = segment;
  const path = segmentPath(topic, partition, segment);
  try {
    makeFolder(join(folder, topic, String(partition)));
    for (const parent of [folder, join(folder, topic)]) await syncFolder(parent);
  } catch (thrown) {
    throw cannotBeWritten(join(folder, topic), thrown);
  }
  await using file = openSegmentFile(join(folder, path));
  await file.write(`${headerLine(segment)}\n`);
  const seen = { records: 0, unreadable: 0, first: null as LogRecord | null, last: null as LogRecord | null };
  for await (const batch of log.read({ topic: inLog, partition, from, to, signal })) {
    const ranges = within(batch, segment);
    seen.records += batch.records.length;
    seen.unreadable += ranges.length;
    seen.first ??= batch.records[0] ?? null;
    seen.last = batch.records.at(-1) ?? seen.last;
    const text = linesOf(batch.records, ranges);
    if (text !== '') await file.write(text);
    segment.onProgress(batch.next - from);
  }
  if (signal.aborted) return null;
  if (seen.records + seen.unreadable === 0) return { file: null, last: null };
  const written = await file.finish();
  return {
    file: {
      path,
      from,
      to,
      records: seen.records,
      unreadable: seen.unreadable,
      first_time: seen.first?.timestamp ?? null,
      last_time: seen.last?.timestamp ?? null,
      ...written,
    },
    last: seen.last && { position: seen.last.position, sha256: lineDigest(seen.last) },
  };
}

/** What cannot be read, without what stands beyond the file: the one before and the one after it tell that. */
function within({ unreadable = [] }: Batch, { from, to }: SegmentToWrite): readonly UnreadableRange[] {
  return unreadable
    .map((range) => ({ ...range, from: Math.max(range.from, from), to: Math.min(range.to, to) }))
    .filter((range) => range.from < range.to);
}

/** By their positions. */
function linesOf(records: readonly LogRecord[], ranges: readonly UnreadableRange[]): string {
  const lines = records.map((record) => ({ at: record.position, line: recordLine(record) }));
  if (ranges.length > 0) {
    lines.push(...ranges.map((range) => ({ at: range.from, line: unreadableLine(range) })));
    lines.sort((a, b) => a.at - b.at);
  }
  return lines.map(({ line }) => `${line}\n`).join('');
}
