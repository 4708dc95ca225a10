import { beforeEach, expect, test } from 'vitest';

import type { Log, NewRecord } from '../../../../src/events/log/port.ts';
import { announceNewlyParked, carryDiscards } from '../../../../src/projecting/builds/parked.ts';
import { PARKED, parkedId, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { newVersion } from '../../../../src/stores/documents/port.ts';
import { LIVE, OTHER, openBuildsStage, type BuildsStage } from '../../../support/builds-stage.ts';

let stage: BuildsStage;
beforeEach(async () => {
  stage = await openBuildsStage();
  await stage.documents.declare(PARKED);
  for (const build of [LIVE, OTHER]) await stage.putLane(build);
});

async function parkIn(
  build: string,
  position: number,
  { state = 'parked', incarnation = 0 }: { state?: ParkedEvent['state']; incarnation?: number } = {},
): Promise<void> {
  const lane = { readModel: build, topic: 'notes', partition: 0 };
  const rejection = {
    code: 'not_json',
    reason: 'no',
    id: null,
    source: '/s',
    type: null,
    subject: null,
  } as const;
  const kept = { timestamp: 1, key: 'k', headers: {}, value: 'AA==', rejection, parkedAt: 1, redrives: 0 };
  const body: ParkedEvent = { ...lane, state, position, ...kept };
  const id = parkedId(lane, incarnation, position);
  await stage.documents.write(PARKED.name, [{ id, read: null, version: newVersion(), body }]);
}

async function stateOf(build: string, position: number, incarnation = 0): Promise<string | undefined> {
  const id = parkedId({ readModel: build, topic: 'notes', partition: 0 }, incarnation, position);
  return (await stage.documents.get<ParkedEvent>(PARKED.name, [id])).get(id)?.body.state;
}

async function announced(): Promise<readonly (string | null)[]> {
  const told: NewRecord[] = [];
  const append: Log['append'] = async (records) => {
    told.push(...records);
    return [];
  };
  const log = { append } as Partial<Log> as Log;
  await announceNewlyParked({ documents: stage.documents, log }, 'rejected', LIVE, OTHER);
  return told.map(({ value }) => (JSON.parse(Buffer.from(value ?? '').toString()) as { id: string }).id);
}

test('what an operator has dropped in the live build is dropped in the other one, and nothing else is', async () => {
  await parkIn(LIVE, 1, { state: 'discarded' });
  await parkIn(LIVE, 2);
  for (const position of [1, 2, 3]) await parkIn(OTHER, position);
  expect(await carryDiscards(stage.documents, LIVE, OTHER)).toBe(1);
  expect([await stateOf(OTHER, 1), await stateOf(OTHER, 2), await stateOf(OTHER, 3)]).toEqual([
    'discarded',
    'parked',
    'parked',
  ]);
  expect(await carryDiscards(stage.documents, LIVE, OTHER)).toBe(0);
});

test('upstream is told of what only the other build has refused', async () => {
  await parkIn(LIVE, 1);
  await parkIn(LIVE, 2, { state: 'discarded' });
  for (const position of [1, 2, 3]) await parkIn(OTHER, position);
  expect(await announced()).toEqual([`${OTHER}/notes/0/3`]);
});

test('a position of a log that took the place of another is told from the same position of that one', async () => {
  await stage.putLane(LIVE, { incarnation: 1 });
  await stage.putLane(OTHER, { incarnation: 1 });
  await parkIn(LIVE, 1, { state: 'discarded', incarnation: 1 });
  await parkIn(OTHER, 1, { incarnation: 1 });
  // Of the log before: nobody has decided about it.
  await parkIn(OTHER, 1);
  expect(await carryDiscards(stage.documents, LIVE, OTHER)).toBe(1);
  expect([await stateOf(OTHER, 1, 1), await stateOf(OTHER, 1)]).toEqual(['discarded', 'parked']);
});

test('a build that was begun after the log was replaced has the positions of the live one', async () => {
  await stage.putLane(LIVE, { incarnation: 2 });
  await parkIn(LIVE, 1, { state: 'discarded', incarnation: 2 });
  await parkIn(OTHER, 1);
  expect(await carryDiscards(stage.documents, LIVE, OTHER)).toBe(1);
  expect(await stateOf(OTHER, 1)).toBe('discarded');
});
