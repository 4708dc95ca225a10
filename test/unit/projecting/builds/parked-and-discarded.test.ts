import { beforeEach, describe, expect, test } from 'vitest';

import type { Log, NewRecord } from '../../../../src/events/log/port.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import {
  startAnnouncer,
  announceNewlyParked,
  carryDiscards,
} from '../../../../src/projecting/builds/carry-parked-to-build.ts';
import { PARKED, parkedId, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { rejectedFor } from '../../../support/records.ts';
import { overriding } from '../../../support/overriding.ts';
import { LIVE, OTHER, openBuildsStage } from '../../../support/builds-stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(openBuildsStage);
beforeEach(async () => {
  await stage.documents.declare(PARKED);
  for (const build of [LIVE, OTHER]) await stage.putLane(build);
});

interface Options {
  readonly state?: ParkedEvent['state'];
  readonly incarnation?: number;
  /** Whether upstream was told: of what a live build parks it is. */
  readonly isTold?: boolean;
}

async function parkIn(
  build: string,
  position: number,
  { state = 'parked', incarnation = 0, isTold = build === LIVE }: Options = {},
): Promise<void> {
  const lane = { readModel: build, topic: 'notes', partition: 0 };
  const rejection = rejectedFor('not_json', 'no', { source: '/s' });
  const kept = { timestamp: 1, key: 'k', headers: {}, value: 'AA==', rejection, parkedAt: 1, redrives: 0 };
  const mark = isTold ? {} : ({ unannounced: true } as const);
  const body: ParkedEvent = { ...lane, state, position, ...kept, ...mark };
  const id = parkedId(lane, incarnation, position);
  await stage.put(PARKED.name, id, body);
}

async function stateOf(build: string, position: number, incarnation = 0): Promise<string | undefined> {
  const id = parkedId({ readModel: build, topic: 'notes', partition: 0 }, incarnation, position);
  return (await stage.documents.get<ParkedEvent>(PARKED.name, [id])).get(id)?.body.state;
}

const told: string[] = [];
beforeEach(() => told.splice(0));

/** A log that takes so many calls. */
function logThatFailsAfter(calls: number): Pick<Log, 'append'> {
  const append = async (records: readonly NewRecord[]): Promise<[]> => {
    if (calls-- <= 0) throw new RetryableError('the log is gone');
    for (const { value } of records)
      told.push((JSON.parse(Buffer.from(value ?? '').toString()) as { id: string }).id);
    return [];
  };
  return { append };
}

async function announced(
  documents = stage.documents,
  [source, target]: readonly [string | null, string] = [LIVE, OTHER],
  log = logThatFailsAfter(Infinity),
): Promise<readonly string[]> {
  const before = told.length;
  await announceNewlyParked({ documents, log }, 'rejected', source, target);
  return told.slice(before);
}

test('what an operator has dropped in the live build is dropped in the other one, and nothing else is', async () => {
  await parkIn(LIVE, 1, { state: 'discarded' });
  await parkIn(LIVE, 2);
  for (const position of [1, 2, 3]) await parkIn(OTHER, position);
  await carryDiscards(stage.documents, LIVE, OTHER);
  expect([await stateOf(OTHER, 1), await stateOf(OTHER, 2), await stateOf(OTHER, 3)]).toEqual([
    'discarded',
    'parked',
    'parked',
  ]);
});

test('upstream is told of what only the other build has refused', async () => {
  await parkIn(LIVE, 1);
  await parkIn(LIVE, 2, { state: 'discarded' });
  for (const position of [1, 2, 3]) await parkIn(OTHER, position);
  expect(await announced()).toEqual([`${OTHER}/notes/0/3`]);
  expect(await announced()).toEqual([]);
});

test('going back tells upstream of nothing that it has heard, and of what only the build before knew of', async () => {
  await parkIn(LIVE, 1);
  await parkIn(OTHER, 2);
  expect(await announced()).toEqual([`${OTHER}/notes/0/2`]);
  await parkIn(OTHER, 3, { isTold: true });
  // Parked here when the other one was live.
  for (const position of [3, 4]) await parkIn(LIVE, position, { isTold: false });
  expect(await announced(stage.documents, [OTHER, LIVE])).toEqual([`${LIVE}/notes/0/4`]);
});

test('what the build before has parked without telling upstream is told by the build that is live after it', async () => {
  await parkIn(LIVE, 1, { isTold: false });
  await parkIn(OTHER, 1);
  expect(await announced()).toEqual([`${OTHER}/notes/0/1`]);
});

describe('an announcing that was cut off is gone on with', () => {
  test('where the log failed: everything is told once', async () => {
    for (const position of [1, 2]) await parkIn(OTHER, position);
    const failing = announced(stage.documents, [LIVE, OTHER], logThatFailsAfter(0));
    await expect(failing).rejects.toThrow('the log is gone');
    expect(told).toEqual([]);
    expect(await announced()).toEqual([`${OTHER}/notes/0/1`, `${OTHER}/notes/0/2`]);
  });

  test('where the process died before it had noted what it had told: that is told again, never left out', async () => {
    await parkIn(OTHER, 1);
    const dying = overriding(stage.documents, { write: () => Promise.reject(new Error('killed')) });
    await expect(announced(dying)).rejects.toThrow('killed');
    expect(told).toEqual([`${OTHER}/notes/0/1`]);
    expect(await announced()).toEqual([`${OTHER}/notes/0/1`]);
    expect(await announced()).toEqual([]);
  });

  test('by the projector of the first lane', async () => {
    await parkIn(LIVE, 1);
    for (const position of [1, 2]) await parkIn(OTHER, position);
    await stage.change({ collection: OTHER, before: LIVE, beside: [LIVE] });
    const asked: string[] = [];
    await using _announcer = startAnnouncer({
      documents: stage.documents,
      log: logThatFailsAfter(Infinity),
      clock: stage.clock,
      logger: captureLog().logger,
      builds: [NOTES, { ...NOTES, build: 'b2' }],
      topicName: (topic) => topic,
      rejectedTopic: 'rejected',
      isRunning: (lane) => asked.push(lane) > 0,
    });
    await expect.poll(() => told).toEqual([`${OTHER}/notes/0/2`]);
    expect(new Set(asked)).toEqual(new Set([`${LIVE}/notes/0`, `${OTHER}/notes/0`]));
  });
});

test('what an operator has dropped before it was told is not told', async () => {
  await parkIn(OTHER, 1, { state: 'discarded' });
  expect(await announced()).toEqual([]);
});

test('a position of a log that took the place of another is told from the same position of that one', async () => {
  await stage.putLane(LIVE, { incarnation: 1 });
  await stage.putLane(OTHER, { incarnation: 1 });
  await parkIn(LIVE, 1, { state: 'discarded', incarnation: 1 });
  await parkIn(OTHER, 1, { incarnation: 1 });
  // Of the log before: nobody has decided about it.
  await parkIn(OTHER, 1);
  await carryDiscards(stage.documents, LIVE, OTHER);
  expect([await stateOf(OTHER, 1, 1), await stateOf(OTHER, 1)]).toEqual(['discarded', 'parked']);
});

test('a build that was begun after the log was replaced has the positions of the live one', async () => {
  await stage.putLane(LIVE, { incarnation: 2 });
  await parkIn(LIVE, 1, { state: 'discarded', incarnation: 2 });
  await parkIn(OTHER, 1);
  await carryDiscards(stage.documents, LIVE, OTHER);
  expect(await stateOf(OTHER, 1)).toBe('discarded');
});
