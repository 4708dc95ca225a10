import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { StoppedError } from '../projecting/engine/retry.ts';

export type ManyLines = Iterable<string> | AsyncIterable<string>;

/** Written at once: fewer calls, and never more than a little ahead of the reader. */
const CHUNK_CHARACTERS = 65_536;

/**
 * Writes lines as fast as they are taken and no faster. Rejects with the error of what `write` writes to.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function writeLines(
  lines: ManyLines,
  write: (chunk: string) => Promise<void>,
  signal: AbortSignal,
  onWritten: (lines: number) => void = () => undefined,
): Promise<void> {
  let chunk = '';
  let written = 0;
  const flush = async (): Promise<void> => {
    await write(chunk);
    chunk = '';
    onWritten(written);
    if (signal.aborted) throw new StoppedError('stopped');
  };
  for await (const line of lines) {
    chunk += `${line}\n`;
    written += 1;
    if (chunk.length >= CHUNK_CHARACTERS) await flush();
  }
  await flush();
}

/** Into a stream. Between two chunks other work has its turn, so that a signal is heard while it takes everything at once. */
export function into(output: Writable, signal: AbortSignal): (chunk: string) => Promise<void> {
  return async (chunk) => {
    if (output.write(chunk)) return nextTurn();
    try {
      await once(output, 'drain', { signal });
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  };
}
