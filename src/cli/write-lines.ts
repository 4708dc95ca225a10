import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Written at once: fewer calls, and never more than a little ahead of the reader. */
const CHUNK_CHARACTERS = 65_536;

/**
 * Writes lines as fast as they are taken and no faster. Between two chunks other work has its turn, so that a signal is
 * heard while a file takes everything at once. Rejects with the error of an output that fails.
 */
export async function writeLines(
  lines: Iterable<string>,
  output: Writable,
  signal: AbortSignal,
  onWritten: (lines: number) => void,
): Promise<'written' | 'stopped'> {
  let chunk = '';
  let written = 0;
  const flush = async (): Promise<void> => {
    const isFull = !output.write(chunk);
    chunk = '';
    onWritten(written);
    if (isFull) await drained(output, signal);
    else await nextTurn();
  };
  for (const line of lines) {
    chunk += `${line}\n`;
    written += 1;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    await flush();
    if (signal.aborted) return 'stopped';
  }
  await flush();
  return signal.aborted ? 'stopped' : 'written';
}

async function drained(output: Writable, signal: AbortSignal): Promise<void> {
  try {
    await once(output, 'drain', { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
