import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createLogger, type Logger } from '../../../src/platform/logger.ts';
import { peopleLines } from '../../../src/platform/human-log-lines.ts';

let written: string[];
let logger: Logger;
beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  logger = createLogger('info', 'test', peopleLines({ write: (line) => void written.push(line) }));
});
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;

test('how the requests of a minute were answered is one line; without requests there is none', () => {
  logger.info({ url: 'http://localhost' }, 'ready');
  for (const status of [200, 200, 304, 404, 503]) logger.info({ status }, 'request');
  logger.info({ by: [{ status: 401, requests: 10 }] }, 'requests without lines of their own');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(3 * MINUTE_MS);
  expect(written.map((line) => line.slice(9))).toEqual([
    'Requests of the last minute: 2 × 200, 1 × 304, 10 × 401, 1 × 404, 1 × 503.\n',
  ]);
});

test('a warning is written at once, and how often it came again at the end of the minute', () => {
  for (let times = 0; times < 3; times += 1) logger.warn({ attempt: times, reason: 'no' }, 'trying again');
  vi.advanceTimersByTime(MINUTE_MS);
  expect(written.map((line) => line.slice(9))).toEqual([
    'warning: trying again (attempt 0, reason no)\n',
    'trying again: 2 more times\n',
  ]);
});

test('an error is told by its message, and nothing in a line moves a cursor', () => {
  logger.error({ err: new Error('broken \u001b[2J\nline') }, 'a fault of ours');
  expect(written.join('')).toMatch(
    /^\d\d:\d\d:\d\d error: a fault of ours \(reason broken \\u001b\[2J\\u000aline\)\n$/,
  );
});
