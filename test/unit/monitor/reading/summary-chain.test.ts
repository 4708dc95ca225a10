import { describe, expect, test } from 'vitest';

import { advanceHour, type HourSummary } from '../../../../src/monitor/hour-summary.ts';
import { DEFAULT_POLICY } from '../../../../src/monitor/policy.ts';
import { chainOver, type ChainOptions, type Link } from '../../../../src/monitor/reading/summary-chain.ts';
import { FIRST, rounds, target, watched } from '../../../support/monitor.ts';

const HOUR = 'o'.repeat(60);

/** Hours of these rounds as they stand in documents, and a chain over them that counts what it reads. */
function hoursOf(letters: string) {
  const [whole] = watched([target('bot_api'), ...rounds(letters)]);
  const views = whole?.hours ?? [];
  const expected: HourSummary[] = [];
  for (const view of views) expected.push(advanceHour(expected.at(-1) ?? null, view, DEFAULT_POLICY));
  const closed = views.map((view) => ({ hour: view.hour, version: JSON.stringify(view) }));
  const reads: number[][] = [];
  const made: number[] = [];
  const chain = (options: Partial<ChainOptions> = {}) =>
    chainOver(closed, {
      before: [],
      spare: new Map(),
      policy: DEFAULT_POLICY,
      read: async (hours) => {
        reads.push(hours.map((hour) => hour - FIRST / 60));
        const found = views.filter(({ hour }) => hours.includes(hour));
        return new Map(found.map((view) => [view.hour, { version: JSON.stringify(view), view }] as const));
      },
      onMade: ({ summary }) => made.push(summary.hour - FIRST / 60),
      ...options,
    });
  return { chain, closed, expected, reads, made };
}

const summariesOf = (links: readonly Link[]) => links.map(({ summary }) => summary);
const byHour = (links: readonly Link[]) => new Map(links.map((link) => [link.summary.hour, link]));

describe('a chain', () => {
  test('from nothing is made from all hours, ever more of them in one read', async () => {
    const { chain, expected, reads } = hoursOf(HOUR.repeat(40));
    expect(summariesOf(await chain())).toEqual(expected);
    expect(reads.map(({ length }) => length)).toEqual([1, 2, 4, 8, 16, 9]);
  });

  test('makes a changed hour again, and those after it until one begins as before', async () => {
    const { chain: old } = hoursOf(HOUR.repeat(6));
    const changed = hoursOf(`${HOUR}${HOUR}${'o'.repeat(58)}ff${HOUR.repeat(3)}`);
    const before = await old();
    expect(summariesOf(await changed.chain({ before }))).toEqual(changed.expected);
    // The failed rounds of the third hour are in the window of the fourth.
    expect(changed.made).toEqual([2, 3]);
    expect(changed.reads).toEqual([[2], [3, 4]]);
  });

  test('is made again by another policy', async () => {
    const { chain, made } = hoursOf(HOUR.repeat(3));
    const before = await chain();
    made.length = 0;
    const spare = byHour(before);
    const links = await chain({ spare, policy: { ...DEFAULT_POLICY, reopen_s: 0 } });
    expect(made).toEqual([0, 1, 2]);
    expect(links[0]?.summary.rules).not.toBe(before[0]?.summary.rules);
  });

  test('begins again where its first hour is no longer kept', async () => {
    const { chain } = hoursOf(`fff${HOUR.repeat(3)}`);
    const rest = hoursOf(`fff${HOUR.repeat(3)}`);
    rest.closed.shift();
    const [first] = await rest.chain({ before: await chain() });
    expect(first?.summary.start).toBeNull();
    expect(rest.made[0]).toBe(1);
  });
});
