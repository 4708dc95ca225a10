import { expect, test } from 'vitest';

import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import { discard } from '../../../../src/projecting/engine/redrive.ts';
import { PARKED, parkedId, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { omissionsOf } from '../../../../src/projecting/replay/build-omissions.ts';
import { newVersion } from '../../../../src/stores/documents/port.ts';
import type { Shadow } from '../../../../src/stores/shadows.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { decodeNote, NOTES } from '../../../support/fake-projection.ts';
import { bodiesOf, replayed } from '../../../support/replayed.ts';

/** A replay makes what is live: it leaves out what a person has decided about, or has still to decide about. */

const engine = forEachTest(openEngine);

function replay(name: string, build: string | null = 'notes@1'): Promise<Shadow> {
  const { log, documents } = engine;
  return replayed({ log, documents, now: 0 }, { name, build, projection: NOTES, decode: decodeNote });
}

async function project(): Promise<void> {
  await using _projector = await engine.start();
  await engine.settled();
}

test('what the live build has parked or discarded is left out, and counted', async () => {
  await engine.publish(
    ['a', 1, 'one'],
    { raw: '{' },
    ['b', 1, 'first'],
    ['b', 2, 'no view'],
    ['c', 1, 'boom'],
  );
  await project();
  const [first] = await engine.parked();
  if (first) await discard(engine.documents, first);
  expect((await engine.parked()).length).toBe(3);
  const { made } = await replay('same');
  expect(await bodiesOf(engine.documents, 'notes@1-same')).toEqual(
    await bodiesOf(engine.documents, 'notes@1'),
  );
  expect(made).toMatchObject({ records: 5, left_out: 3, documents: 2 });
});

test('where there is no live build, what cannot be used is left out all the same', async () => {
  await engine.publish(['a', 1, 'one'], { raw: '{' }, ['c', 1, 'boom']);
  const { made } = await replay('alone', null);
  expect(made).toMatchObject({ records: 3, left_out: 2, documents: 1 });
});

test('a decision about a record of a log that was replaced says nothing of the one that stands there now', async () => {
  await engine.publish(['a', 1, 'one'], { raw: '{' });
  await project();
  const [decided] = await engine.parked();
  if (!decided) throw new Error('nothing is parked');
  const { partition, position } = decided.body;
  const record = { topic: 'notes', partition, position, timestamp: decided.body.timestamp };
  const omissions = await omissionsOf(engine.documents, 'notes@1');
  expect([
    omissions.leavesOut(record),
    omissions.leavesOut({ ...record, timestamp: record.timestamp + 1 }),
  ]).toEqual([true, false]);
});

test('a range that could not be read is left out until it is redriven', async () => {
  for (const collection of [PARKED, CHECKPOINTS]) await engine.documents.declare(collection);
  const range = (state: ParkedEvent['state'], position: number, incarnation = 0): Promise<unknown> => {
    const lane = { readModel: 'notes@1', topic: 'notes', partition: 0 };
    const id = parkedId(lane, incarnation, position, position + 2);
    const body = { ...lane, state, position, to: position + 2, timestamp: 0 };
    return engine.documents.write(PARKED.name, [{ id, read: null, version: newVersion(), body }]);
  };
  await range('parked', 10);
  await range('redriven', 20);
  await range('discarded', 30);
  // Of a log that another one has taken the place of.
  await range('discarded', 40, 1);
  const omissions = await omissionsOf(engine.documents, 'notes@1');
  const out = [9, 10, 11, 12, 20, 21, 30, 31, 40].filter((position) =>
    omissions.leavesOut({ topic: 'notes', partition: 0, position, timestamp: 1 }),
  );
  expect(out).toEqual([10, 11, 30, 31]);
  expect(omissions.leavesOut({ topic: 'notes', partition: 1, position: 10, timestamp: 1 })).toBe(false);
});
