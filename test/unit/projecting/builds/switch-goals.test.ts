import { expect, test } from 'vitest';

import type { Log } from '../../../../src/events/log/port.ts';
import { busyLanes } from '../../../../src/projecting/builds/busy-lanes.ts';
import { lanesBehind, goalsOf, topicsOf } from '../../../../src/projecting/builds/switch-goals.ts';
import { LIVE, OTHER, openBuildsStage } from '../../../support/builds-stage.ts';

async function lanes(build = LIVE) {
  const stage = await openBuildsStage();
  await stage.putLane(build);
  const lane = await stage.lane(build);
  if (!lane) throw new Error('there is no lane');
  return { stage, lane };
}

const logUpTo = (latest: number, readable?: number): Pick<Log, 'ends'> => ({
  ends: async () => [{ partition: 0, earliest: 0, latest, ...(readable === undefined ? {} : { readable }) }],
});

test('what a lane may have written ends where the log can be read', async () => {
  const { lane } = await lanes();
  expect(await goalsOf(logUpTo(9), [lane])).toEqual(new Map([['notes/0', 9]]));
  expect(await goalsOf(logUpTo(9, 7), [lane])).toEqual(new Map([['notes/0', 7]]));
});

test('a log that says less than was consumed does not know its end', async () => {
  const { lane } = await lanes();
  expect(await goalsOf(logUpTo(4), [lane])).toBe('the log does not say how far notes/0 is');
  expect(await goalsOf({ ends: async () => [] }, [lane])).toBe('the log does not say how far notes/0 is');
});

test('a lane that has not begun is behind by all of it; a topic that the fold does not read is not', async () => {
  const { lane } = await lanes(OTHER);
  const goals = new Map([
    ['notes/0', 8],
    ['notes/1', 4],
    ['marks/0', 9],
  ]);
  const topics = topicsOf({ targets: { [`${OTHER}/notes/0`]: 8, [`${OTHER}/notes/1`]: 4 } });
  expect(lanesBehind(goals, [lane], topics)).toEqual([
    { lane: 'notes/0', left: 3 },
    { lane: 'notes/1', left: 4 },
  ]);
  const all = topicsOf({ targets: { [`${OTHER}/notes/0`]: 8, [`${OTHER}/marks/0`]: 9 } });
  expect(lanesBehind(goals, [], all)).toHaveLength(3);
  expect(lanesBehind(goals, [], topicsOf(null))).toHaveLength(3);
  // Its lanes have begun in one of the topics that it reads.
  expect(lanesBehind(goals, [lane], all)).toContainEqual({ lane: 'marks/0', left: 9 });
});

test('a lane is restless until it has said that it is quiet in this very pause', async () => {
  const { stage, lane } = await lanes();
  await stage.say('worker');
  const restless = (quiet: string | null) => busyLanes(stage.documents, [{ ...lane, quiet }], 'now');
  expect(await restless(null)).toEqual([{ lane: 'notes@1/notes/0', where: 'host of worker' }]);
  expect(await restless('before')).toHaveLength(1);
  expect(await restless('now')).toEqual([]);
});
