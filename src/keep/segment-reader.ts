import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

import type { Batch, LogRecord, Position, UnreadableRange } from '../events/log/port.ts';
import { PermanentError } from '../platform/errors.ts';
import { problemOf } from './damaged-files.ts';
import { parseLine } from './record-lines.ts';
import type { SegmentFile } from './manifest.ts';

const BATCH_RECORDS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file of an archive in contiguous batches, from its first position to its end.
 * @throws {PermanentError} where it is damaged, before anything of it is handed out.
 */
export async function* readSegment(
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
