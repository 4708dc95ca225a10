import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { messageOf, PermanentError, UsageError } from '../platform/errors.ts';
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

/**
 * Writes a file that is there as a whole or not at all: under another name beside it, until all of it is on the disk.
 * `write` is given that name.
 * @throws {UsageError} where the name is that of a file that may not be replaced, or of something else.
 */
export async function writeWhole<T>(
  file: string,
  { force }: { readonly force: boolean },
  write: (part: string) => Promise<T>,
): Promise<T> {
  const known = await onDisk(file, async () => lstatSync(file, { throwIfNoEntry: false }));
  if (known?.isFile() === false)
    throw new UsageError(`${file} is a link, a folder or a device: name a file.`);
  if (known && !force) {
    throw new UsageError(`${file} exists: name another file, or add --force to replace it.`);
  }
  const part = file + PART;
  try {
    const written = await write(part);
    await onDisk(file, () => rename(part, file));
    return written;
  } finally {
    await rm(part, { force: true });
  }
}

const PART = `.${process.pid}.part`;

/** Writes lines exactly as they are to a file that must not exist. @throws {PermanentError} where that fails. */
export async function writeLinesTo(file: string, lines: ManyLines, signal: AbortSignal): Promise<void> {
  await using handle = await onDisk(file, () => open(file, 'wx'));
  await writeLines(lines, (chunk) => onDisk(file, () => handle.appendFile(chunk)), signal);
  await onDisk(file, () => handle.sync());
}

async function onDisk<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    // The name that was asked for says more than that of its part.
    const told = `${file} cannot be written: ${messageOf(thrown)}`.replaceAll(PART, '');
    throw new PermanentError(told, { cause: thrown });
  }
}
