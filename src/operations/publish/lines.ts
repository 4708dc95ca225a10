import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';

import { RECORD_BYTES } from '../../events/parse-cloudevent.ts';
import { codeOf, messageOf, PermanentError, UsageError } from '../../platform/errors.ts';

export interface Line {
  /** `events.ndjson:17` */
  readonly where: string;
  /** Without its end. Of one that no record can hold, as much as shows that it is one. */
  readonly bytes: Uint8Array;
}

/**
 * The lines of files, `-` for standard input, without blank ones. Ends early where the signal is aborted. They are handed
 * on as bytes: decoding to text would replace its faults in silence, and hide that a file is not UTF-8.
 * @throws {UsageError | PermanentError} where a file cannot be read.
 */
export async function* linesOf(files: readonly string[], signal: AbortSignal): AsyncIterable<Line> {
  if (files.indexOf('-') !== files.lastIndexOf('-'))
    throw new UsageError('Standard input can be read only once: give one "-".');
  for (const file of files) {
    if (signal.aborted) return;
    const input = addAbortSignal(signal, file === '-' ? process.stdin : await openFile(file));
    const name = file === '-' ? 'standard input' : file;
    let lineNumber = 0;
    try {
      for await (const bytes of splitLines(input)) {
        lineNumber += 1;
        if (!isBlank(bytes)) yield { where: `${name}:${lineNumber}`, bytes };
      }
    } catch (thrown) {
      if (signal.aborted) return;
      throw unreadable(name, thrown);
    }
  }
}

async function openFile(file: string): Promise<Readable> {
  let found: Stats;
  try {
    found = await stat(file);
  } catch (thrown) {
    throw unreadable(file, thrown);
  }
  // Files are read twice, and a pipe is empty by then.
  if (found.isFile()) return createReadStream(file);
  const kind = found.isDirectory() ? 'a folder' : 'no regular file';
  throw new UsageError(`${file} is ${kind}. Give NDJSON files, or "-" for standard input.`);
}

function unreadable(file: string, cause: unknown): UsageError | PermanentError {
  if (codeOf(cause) === 'ENOENT')
    return new UsageError(`There is no file ${file}. Give NDJSON files, or "-" for standard input.`, {
      cause,
    });
  return new PermanentError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
}

const [LINE_FEED, CARRIAGE_RETURN, SPACE, TAB] = [0x0a, 0x0d, 0x20, 0x09];
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Cut at line feeds alone: unlike a carriage return or U+2028, one of those never stands inside a JSON text that is one
 * line. What is no text at all may have none of them: no more is kept of a line than a record may hold.
 */
async function* splitLines(input: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let begun: Buffer | null = null;
  let isFirst = true;
  const ended = (line: Buffer): Buffer => {
    const from = isFirst && line.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
    isFirst = false;
    return line.subarray(from, line.at(-1) === CARRIAGE_RETURN ? -1 : undefined);
  };
  for await (const chunk of input) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      yield ended(lengthen(begun, chunk.subarray(from, to)));
      begun = null;
      from = to + 1;
    }
    if (from < chunk.length) begun = lengthen(begun, chunk.subarray(from));
  }
  if (begun) yield ended(begun);
}

/** More than any record may have: what is cut here is refused for its length. */
const KEPT_BYTES = RECORD_BYTES + 2;

function lengthen(begun: Buffer | null, more: Buffer): Buffer {
  if (begun === null) return more.subarray(0, KEPT_BYTES);
  if (begun.length >= KEPT_BYTES) return begun;
  return Buffer.concat([begun, more.subarray(0, KEPT_BYTES - begun.length)]);
}

function isBlank(line: Uint8Array): boolean {
  if (line.length > RECORD_BYTES) return false;
  return line.every((byte) => byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN);
}
