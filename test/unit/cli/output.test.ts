import { setImmediate as nextTurn } from 'node:timers/promises';
import { Writable } from 'node:stream';

import { expect, test } from 'vitest';

import { into, writeLines } from '../../../src/cli/write-lines.ts';
import { StoppedError } from '../../../src/projecting/engine/retry.ts';

const never = new AbortController().signal;

/** Takes a chunk each time it is told to. */
function slowReader() {
  const taken: string[] = [];
  let take = (): void => undefined;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      taken.push(chunk);
      take = done;
    },
  });
  return { taken, output, take: () => take() };
}

function* countedLines(lines: number, onLine: (line: number) => void = () => undefined): Generator<string> {
  for (let line = 1; line <= lines; line += 1) {
    onLine(line);
    yield `${line} ${'x'.repeat(1000)}`;
  }
}

test('every line is written, in order, and nothing is generated that the reader has no room for', async () => {
  const { taken, output, take } = slowReader();
  let generated = 0;
  const counts: number[] = [];
  const writing = writeLines(
    countedLines(500, (line) => (generated = line)),
    into(output, never),
    never,
    (lines) => counts.push(lines),
  );
  await nextTurn();
  const ahead = generated;
  await nextTurn();
  expect(generated).toBe(ahead);
  expect(ahead).toBeLessThan(100);
  while (generated < 500 || output.writableLength > 0) {
    take();
    await nextTurn();
  }
  await writing;
  expect(taken.join('')).toBe([...countedLines(500)].map((line) => `${line}\n`).join(''));
  expect(counts.at(-1)).toBe(500);
});

test('a signal ends it, though the reader takes nothing', async () => {
  const { output } = slowReader();
  const stopping = new AbortController();
  const writing = writeLines(countedLines(500), into(output, stopping.signal), stopping.signal);
  await nextTurn();
  stopping.abort();
  await expect(writing).rejects.toThrow(StoppedError);
});

test('a signal is heard, though the output takes everything at once', async () => {
  const output = new Writable({ highWaterMark: 1e9, write: (_chunk, _encoding, done) => done() });
  const stopping = new AbortController();
  void nextTurn().then(() => stopping.abort());
  const writing = writeLines(countedLines(5000), into(output, stopping.signal), stopping.signal);
  await expect(writing).rejects.toThrow(StoppedError);
});

test('an output that fails is heard of', async () => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) });
  output.on('error', () => undefined);
  await expect(writeLines(countedLines(500), into(output, never), never)).rejects.toThrow('the disk is full');
});
