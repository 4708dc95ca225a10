import { join } from 'node:path';

import type { Batch, LogRecord, Position, UnreadableRange } from '../log/port.ts';
import { isHeader, parseLine } from './lines.ts';
import type { ArchivedFile } from './manifest.ts';
import { segmentLines } from './segment-lines.ts';

/** One file of an archive, and where it belongs. */
export interface Segment {
  readonly folder: string;
  readonly topic: string;
  readonly partition: number;
  readonly file: ArchivedFile;
}

/** What is not as it was written. */
export interface Damage {
  /** Within the archive. */
  readonly path: string;
  /** From 1, the line that describes the file; null where every line is whole, and the file is not. */
  readonly line: number | null;
  readonly problem: string;
  /** The first position that the damage may have cost: those before it in the file can be read. */
  readonly position: Position;
}

const BATCH_RECORDS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file in contiguous batches, from its first position to its end. Damage is told as it is met, and reading goes on
 * behind it for as long as lines can be had: whoever wants nothing of a damaged file throws in `onDamage`.
 */
export async function* readSegment(
  { folder, topic, partition, file }: Segment,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<Batch, void, undefined> {
  let damages = 0;
  let next: Position = file.from;
  const tell = (line: number | null, problem: string): void => {
    damages += 1;
    onDamage({ path: file.path, line, problem, position: next });
  };
  const lines = segmentLines(join(folder, file.path));
  let number = 0;
  let batch = emptyBatch(file.from);
  for await (const line of lines) {
    number += 1;
    if (number === 1) {
      if (!isHeader(line, { topic, partition, ...file })) tell(1, 'it does not describe this file');
      continue;
    }
    const entry = parseLine(line, topic, partition);
    if (!entry) {
      tell(number, 'it is not as it was written');
      continue;
    }
    const { from, to } =
      entry.kind === 'unreadable'
        ? entry.range
        : { from: entry.record.position, to: entry.record.position + 1 };
    if (from < next || to > file.to) {
      tell(number, `position ${from} does not belong there`);
      continue;
    }
    next = to;
    batch.bytes += line.length;
    if (entry.kind === 'record') batch.records.push(entry.record);
    else batch.unreadable.push(entry.range);
    if (batch.records.length < BATCH_RECORDS && batch.bytes < BATCH_BYTES) continue;
    yield batchOf(batch, next);
    batch = emptyBatch(next);
  }
  if (lines.broken !== null) tell(number + 1, lines.broken);
  else if (damages === 0 && lines.sha256 !== file.sha256)
    tell(null, 'every line is whole, but its bytes are not those of the manifest (SHA-256)');
  yield batchOf(batch, file.to);
}

interface GrowingBatch {
  readonly from: Position;
  readonly records: LogRecord[];
  readonly unreadable: UnreadableRange[];
  bytes: number;
}

function emptyBatch(from: Position): GrowingBatch {
  return { from, records: [], unreadable: [], bytes: 0 };
}

function batchOf({ from, records, unreadable }: GrowingBatch, next: Position): Batch {
  return { from, next, records, ...(unreadable.length > 0 ? { unreadable } : {}) };
}
