import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Log, LogRecord, PositionRange, UnreadableRange } from '../events/log/port.ts';
import { cannotBeWritten, PARTIAL, renamePartial, syncFolder } from '../platform/files/durable-files.ts';
import { makeFolder } from '../platform/files/private-files.ts';
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
    const written = await compress(lines(), `${target}${PARTIAL}`);
    const isEmpty = seen.records + seen.unreadable === 0;
    if (signal.aborted || isEmpty) await rm(`${target}${PARTIAL}`, { force: true });
    if (signal.aborted) return null;
    if (isEmpty) return { file: null, last: null };
    await renamePartial(target);
    const { records, unreadable, last } = seen;
    return {
      file: { path, from, to, records, unreadable, ...written },
      last: last && { position: last.position, sha256: lineDigest(last) },
    };
  } catch (thrown) {
    await rm(`${target}${PARTIAL}`, { force: true });
    throw cannotBeWritten(target, thrown);
  }
}

/** Writes lines into a compressed file that is on the disk then. */
async function compress(
  lines: AsyncIterable<string>,
  path: string,
): Promise<Pick<SegmentFile, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counting(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await pipeline(lines, createGzip(), counting, createWriteStream(path, { mode: 0o600, flush: true }));
  return { bytes, sha256: hash.digest('hex') };
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
