import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { messageOf, PermanentError, UsageError } from '../platform/errors.ts';

export interface Line {
  /** `events.ndjson:17` */
  readonly where: string;
  readonly text: string;
}

/**
 * The lines of files, `-` for standard input, without blank ones. Ends early where the signal is aborted.
 * @throws {UsageError | PermanentError} where a file cannot be read.
 */
export async function* linesOf(files: readonly string[], signal: AbortSignal): AsyncIterable<Line> {
  for (const file of files) {
    const input = file === '-' ? process.stdin : await openFile(file);
    const name = file === '-' ? 'standard input' : file;
    // readline passes no error of its input on: it would end as if the file had.
    let failure: Error | null = null;
    input.once('error', (error) => (failure = error));
    let lineNumber = 0;
    for await (const text of createInterface({ input, crlfDelay: Infinity, signal })) {
      lineNumber += 1;
      if (text.trim() !== '') yield { where: `${name}:${lineNumber}`, text };
    }
    if (failure) throw unreadable(name, failure);
    if (signal.aborted) return;
  }
}

async function openFile(file: string): Promise<Readable> {
  try {
    if (!(await stat(file)).isDirectory()) return createReadStream(file);
  } catch (thrown) {
    throw unreadable(file, thrown);
  }
  throw new UsageError(`${file} is a folder. Give NDJSON files, or "-".`);
}

function unreadable(file: string, cause: unknown): PermanentError {
  return new PermanentError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
}
