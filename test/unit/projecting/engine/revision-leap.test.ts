import { expect, test } from 'vitest';

import { isLeap } from '../../../../src/projecting/engine/revision-leap.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const engine = forEachTest(() => openEngine(1));

test('a revision leaps by more than a million and to more than the double; the first one beyond 2^52', () => {
  const leaps = (from: number, to: number) => isLeap({ from, to });
  expect([leaps(1, 1_000_001), leaps(1, 1_000_002)]).toEqual([false, true]);
  // The time as a revision: a day between two events.
  expect(leaps(1_795_000_000_000, 1_795_086_400_000)).toBe(false);
  expect([leaps(0, 2 ** 52), leaps(0, 2 ** 52 + 1)]).toEqual([false, true]);
  expect(leaps(5_000_000, 3)).toBe(false);
});

test('a projector warns of a revision that leaps in one line a batch, and takes the event in', async () => {
  const log = captureLog();
  await engine.start({ logger: log.logger });
  await engine.publish(['a', 1, 'old'], ['b', 1, 'old'], ['c', 7, 'old']);
  await engine.settled();
  expect(log.said()).not.toContain('warn: a revision leaps');
  await engine.publish(['a', 9_007_199_254_740_991, 'new'], ['b', 2, 'new']);
  await engine.settled();
  const [warned, ...others] = log.lines.filter((line) => line.includes('a revision leaps'));
  expect(JSON.parse(String(warned))).toMatchObject({
    leaps: 1,
    document: 'a',
    from: 1,
    to: 9_007_199_254_740_991,
  });
  expect(others).toEqual([]);
  expect(await engine.notes()).toEqual({ a: 'new', b: 'new', c: 'old' });
});
