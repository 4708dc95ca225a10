import { expect, test } from 'vitest';

import { DEFAULT_POLICY } from '../../../../src/monitor/policy.ts';
import type { MonitorDocuments } from '../../../../src/monitor/reading/documents.ts';
import { createTargetHours } from '../../../../src/monitor/reading/target-hours-cache.ts';
import { countedAt, FIRST, rounds, target, watched } from '../../../support/monitor.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const HOURS_AGO = 72;
const OLD = FIRST / 60 - HOURS_AGO;

/** An hour of now, one of three hours ago, and one of three days ago, in which late probes fail. */
function setUp() {
  const clock = createTestClock();
  const viewsOf = (letters: string) =>
    watched([
      target('bot_api'),
      ...rounds(letters, { round: OLD * 60 }),
      ...rounds('ooooo', { round: FIRST - 180 }),
      ...rounds('ooooo', { round: FIRST }),
    ])[0]?.hours ?? [];
  const sees = { late: 'ok', hours: viewsOf('ooooo') };
  const stored = (hours: readonly number[]) =>
    new Map(
      sees.hours
        .filter(({ hour }) => hours.includes(hour))
        .map((view) => [view.hour, { version: `${view.hour} ${sees.late}`, view }] as const),
    );
  const documents: MonitorDocuments = {
    targets: async () => [],
    versions: async (_target, from, through) => {
      const hours = sees.hours.map(({ hour }) => hour).filter((hour) => hour >= from && hour <= through);
      return new Map([...stored(hours)].map(([hour, { version }]) => [hour, version]));
    },
    views: async (_target, hours) => stored(hours),
  };
  const kept = { read: async () => new Map(), save: () => undefined };
  const bot = { target: 'bot_api', since: 0 };
  const poll = createTargetHours({ target: bot, documents, kept, policy: DEFAULT_POLICY, clock });
  const arrive = (): void => {
    sees.late = 'fail';
    sees.hours = viewsOf('ooofff');
  };
  const endOfOld = async (jumpMs = 0) => {
    const { summaries } = await poll(countedAt(4) + clock.monotonic() + jumpMs);
    return summaries.find(({ hour }) => hour === OLD)?.end.state;
  };
  return { clock, arrive, endOfOld };
}

test.each([
  ['goes on', 0],
  ['was put back by two hours', -2 * HOUR_MS],
  ['was put on by two hours', 2 * HOUR_MS],
])('a late probe of an old hour shows within a minute while the clock of the store %s', async (_, jumpMs) => {
  const { clock, arrive, endOfOld } = setUp();
  expect(await endOfOld()).toBe('up');
  arrive();
  clock.advance(59_999);
  expect(await endOfOld(jumpMs)).toBe('up');
  clock.advance(1);
  expect(await endOfOld(jumpMs)).toBe('down');
});
