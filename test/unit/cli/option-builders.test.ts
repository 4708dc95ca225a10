import { expect, test } from 'vitest';

import { PROJECTIONS } from '../../../projections/index.ts';
import { checkLanes } from '../../../src/cli/accept-gap-option.ts';
import { spanTo } from '../../../src/cli/times.ts';
import { UsageError } from '../../../src/platform/errors.ts';
import { LISTINGS } from '../../support/collections.ts';

test.each([
  ['0', 0],
  ['0h', 0],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['90d', 7_776_000_000],
])('%s is %i ms', (text, ms) => {
  expect(spanTo(90 * 86_400_000)(text)).toBe(ms);
});

test.each(['', '5', '-1h', '1.5h', '1 h', '24H', '1w', '91d', '2161h', '999999999d', 'h', '١h', '1h1m'])(
  '"%s" is refused in one line that says what is accepted',
  (text) => {
    const message = 'Expected 0, or a number with its unit, at most 90d: 90s, 30m, 24h or 7d.';
    expect(() => spanTo(90 * 86_400_000)(text)).toThrow(message);
  },
);

test('a gap is accepted for lanes of any build that this release could project, and for no other name', () => {
  const parts = { projections: PROJECTIONS, earlier: [], topicName: (topic: string) => `p.${topic}` };
  const check = (lane: string) => () => checkLanes(parts, [lane]);
  expect(check(`${LISTINGS}/p.catalog.entries/0`)).not.toThrow();
  expect(check(`${LISTINGS}-b3/p.catalog.entries/12`)).not.toThrow();
  for (const wrong of [
    `${LISTINGS}1/p.catalog.entries/0`,
    `${LISTINGS}-weights/p.catalog.entries/0`,
    `${LISTINGS}/catalog.entries/0`,
    `${LISTINGS}/p.catalog.entries`,
    `${LISTINGS}-b2/p.monitor.probes/0`,
  ])
    expect(check(wrong)).toThrow(UsageError);
});
