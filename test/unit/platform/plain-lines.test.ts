import { expect, test, vi } from 'vitest';

import { createLogger } from '../../../src/platform/logger.ts';
import { plainLines } from '../../../src/platform/plain-lines.ts';

test('a line from ready fields is the line that the logger would have written', () => {
  vi.useFakeTimers({ now: 1_763_632_800_123 });
  const lines: string[] = [];
  const logger = createLogger('info', 'test', { write: (line) => void lines.push(line) });
  const fields = { requestId: '0123456789', method: 'GET', status: 200, cost: 1, durationMs: 0.123 };
  logger.info(fields, 'request');
  plainLines(logger, 'request')(JSON.stringify(fields).slice(1, -1));
  vi.useRealTimers();
  expect(lines).toHaveLength(2);
  expect(lines[1]).toBe(lines[0]);
});

test('a logger that says less says nothing of them', () => {
  const lines: string[] = [];
  const logger = createLogger('warn', 'test', { write: (line) => void lines.push(line) });
  plainLines(logger, 'request')('"status":200');
  expect(lines).toEqual([]);
});
