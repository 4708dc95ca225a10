import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Log, LogRecord, PositionRange, UnreadableRange } from '../events/log/port.ts';
import { cannotBeWritten, PARTIAL, renamePartial, syncFolder } from '../platform/files/durable-files.ts';
import { makeFolder } from '../platform/files/private-files.ts';
import { sizeAndDigest } from './damaged-files.ts';
import { lineDigest, recordLine, unreadableLine } from './record-lines.ts';
import { segmentPath, type ArchivedPartition, type SegmentFile } from './manifest.ts';

interface SegmentToWrite extends PositionRange {
  /** The topic's name in the log. */
  readonly inLog: string;
  readonly signal: AbortSignal;
}

interface WrittenSegment extends Pick<ArchivedPartition, 'last'> {
  /** null where there was nothing between the two positions. */
  readonly file: SegmentFile | null;
}

/** Writes the records of some positions into a file of its own; null, and no file, where the signal was aborted. */
export async function writeSegment(
  log: Log,
  folder: string,
  segment: SegmentToWrite,
): Promise<WrittenSegment | null> {
  const { topic, inLog, partition, from, to, signal } = segment;
  const path = segmentPath(topic, partition, from);
  const target = join(folder, path);
  const partial = `${target}${PARTIAL}`;
  const seen = { records: 0, unreadable: 0, last: null as LogRecord | null };
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of log.read({ topic: inLog, partition, from, to, signal })) {
      const { records, unreadable = [] } = batch;
      seen.records += records.length;
      seen.unreadable += unreadable.length;
      seen.last = records.at(-1) ?? seen.last;
      yield linesOf(records, unreadable);
    }
  }
  try {
    makeFolder(dirname(target));
    for (const parent of [folder, join(folder, topic)]) await syncFolder(parent);
    await pipeline(lines(), createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }));
    const isEmpty = seen.records + seen.unreadable === 0;
    if (signal.aborted || isEmpty) await rm(partial, { force: true });
    if (signal.aborted) return null;
    if (isEmpty) return { file: null, last: null };
    const written = await sizeAndDigest(partial);
    await renamePartial(target);
    const { records, unreadable, last } = seen;
    return {
      file: { path, from, to, records, unreadable, ...written },
      last: last && { position: last.position, sha256: lineDigest(last) },
    };
  } catch (thrown) {
    await rm(partial, { force: true });
    throw cannotBeWritten(target, thrown);
  }
}

/** By their positions. */
function linesOf(records: readonly LogRecord[], ranges: readonly UnreadableRange[]): string {
  return [
    ...records.map((record) => ({ at: record.position, line: recordLine(record) })),
    ...ranges.map((range) => ({ at: range.from, line: unreadableLine(range) })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ line }) => `${line}\n`)
    .join('');
}
