import { expect, test } from 'vitest';

import { createDue, justRead } from '../../../../src/projecting/search/feeding.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** The machine's clock is set while a feeder works: ages are told by time that passes. */

test('what is due does not wait for longer when the clock is put back meanwhile', () => {
  const clock = createTestClock();
  clock.jump(60_000);
  const due = createDue(clock);
  due.in(2000);
  clock.advance(1500);
  clock.jump(-1000);
  expect(due.isDue()).toBe(false);
  clock.advance(500);
  expect(due.isDue()).toBe(true);
});

test('an answer that a process has slept over is read again, though the clock was put back by as much', async () => {
  const clock = createTestClock();
  let asked = 0;
  const read = async (): Promise<number> => {
    asked += 1;
    if (asked === 1) {
      clock.advance(30_000);
      clock.jump(-30_000);
    }
    return asked;
  };
  expect(await justRead({ clock, freshMs: 10_000 }, read)).toBe(2);
});
