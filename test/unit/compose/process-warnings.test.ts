import { afterEach, expect, test } from 'vitest';

import { createLogger } from '../../../src/platform/logger.ts';
import { logProcessWarnings } from '../../../src/compose/parts.ts';

const before = process.listeners('warning');
afterEach(() => {
  process.removeAllListeners('warning');
  for (const listener of before) process.on('warning', listener);
});

function warned(...warnings: readonly Error[]): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  logProcessWarnings(createLogger('warn', 'test', { write: (line) => void lines.push(line) }));
  for (const warning of warnings) process.emit('warning', warning);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('what Node warns of is a line of the log, and printed by nobody else', () => {
  const leak = Object.assign(new Error('11 listeners added'), { name: 'MaxListenersExceededWarning' });
  expect(warned(leak)).toMatchObject([
    { level: 'warn', msg: 'Node warns', err: { type: 'Error', message: '11 listeners added' } },
  ]);
  expect(process.listenerCount('warning')).toBe(1);
});

test('the timer of kafkajs that is long past is not told', () => {
  const timer = Object.assign(new Error('-1 is a negative number'), { name: 'TimeoutNegativeWarning' });
  expect(warned(timer)).toEqual([]);
});
