import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { bufferLines, type LineBuffer } from '../../../src/platform/line-buffer.ts';
import { createLogger } from '../../../src/platform/logger.ts';

let written: string[];
let buffer: LineBuffer;
beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  buffer = bufferLines(
    { write: (lines) => void written.push(lines) },
    { maxBytes: 20, maxMs: 200, urgent: 40 },
  );
});
afterEach(() => {
  vi.useRealTimers();
});

test('lines wait for each other, and are handed over together', () => {
  buffer.write('one\n');
  buffer.write('two\n');
  expect(written).toEqual([]);
  buffer.flush();
  buffer.flush();
  expect(written).toEqual(['one\ntwo\n']);
});

test('no line waits longer than it may', () => {
  buffer.write('one\n');
  vi.advanceTimersByTime(199);
  buffer.write('two\n');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(written).toEqual(['one\ntwo\n']);
  buffer.write('three\n');
  vi.advanceTimersByTime(200);
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

test('what is handed over is whole lines within the bound, counted in bytes', () => {
  for (const line of ['0123456789\n', 'абвгд\n', 'x'.repeat(30), 'y\n']) buffer.write(line);
  buffer.flush();
  expect(written).toEqual(['0123456789\n', 'абвгд\n', 'x'.repeat(30), 'y\n']);
});

test('an urgent line waits for nothing, and takes those before it along', () => {
  const roomy = bufferLines(
    { write: (lines) => void written.push(lines) },
    { maxBytes: 4096, maxMs: 200, urgent: 40 },
  );
  const logger = createLogger('info', 'test', roomy);
  logger.info('calm');
  expect(written).toEqual([]);
  logger.warn('urgent');
  expect(written.join('')).toMatch(/"msg":"calm"[^]*"msg":"urgent"/);
});
