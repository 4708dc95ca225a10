import { expect, test } from 'vitest';

import type { Batch, Log, UnreadableRange } from '../../../../src/events/log/port.ts';
import { type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { readProgress } from '../../../../src/projecting/inspect/lane-progress.ts';
import { discard } from '../../../../src/projecting/engine/redrive.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import { type Stored } from '../../../../src/stores/documents/port.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { openEngine, type Engine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { withFetch } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';

const engine = forEachTest(() => openEngine(1));

const signal = new AbortController().signal;
const REASON = 'its checksum is wrong';

/** The engine's log, in which these positions cannot be read. */
function damagedLog(from: number, to: number): Log {
  const damage = (batch: Batch): Batch => {
    const [start, end] = [Math.max(from, batch.from), Math.min(to, batch.next)];
    if (start >= end) return batch;
    const unreadable: UnreadableRange = {
      topic: 'notes',
      partition: 0,
      from: start,
      to: end,
      code: 'unreadable',
      reason: REASON,
      bytes: Buffer.from('what stands there'),
      timestamp: 5,
    };
    const records = batch.records.filter(({ position }) => position < from || position >= to);
    return { ...batch, records, unreadable: [unreadable] };
  };
  const { log } = engine;
  const damaged = overriding(log, {
    async *read(range) {
      for await (const batch of log.read(range)) yield range.topic === 'notes' ? damage(batch) : batch;
    },
  });
  return withFetch(damaged, async (assignment, at, limits) => damage(await assignment.fetch(at, limits)));
}

const verify = (log: Log = engine.log) => verifyProjection(NOTES, { ...engine.parts, log, signal });

/** Six notes of which those at 2, 3 and 4 cannot be read, all consumed. */
async function consumed(
  ...start: Parameters<Engine['start']>
): Promise<{ log: Log; parked: Stored<ParkedEvent> }> {
  const log = damagedLog(2, 5);
  await engine.publish(['a', 1, '1'], ['b', 1, '1'], ['c', 1, '1'], ['d', 1, 'boom'], { raw: '{' }, [
    'f',
    1,
    '1',
  ]);
  await engine.start({ ...start[0], log });
  expect(await engine.settled()).toBe('reached');
  const [parked] = await engine.parked();
  if (!parked) throw new Error('nothing was parked');
  return { log, parked };
}

test('positions that cannot be read are parked as one range with the reason, and the lane goes on', async () => {
  const captured = captureLog();
  const { log, parked } = await consumed({ logger: captured.logger });
  expect(await engine.notes()).toEqual({ a: '1', b: '1', f: '1' });
  expect(parked).toMatchObject({
    id: 'notes@1/notes/0/2-4',
    body: {
      state: 'parked',
      position: 2,
      to: 5,
      value: Buffer.from('what stands there').toString('base64'),
      rejection: { code: 'unreadable', reason: `positions 2 to 4: ${REASON}`, source: null, id: null },
    },
  });
  const [lane] = await readProgress(engine.parts);
  expect(lane?.checkpoint?.counts).toEqual({ applied: 3, superseded: 0, parked: 1, ignored: 0 });
  expect(
    captured.lines.filter((line) => line.includes('event parked')).map((line) => JSON.parse(line) as object),
  ).toEqual([expect.objectContaining({ parked: parked.id, position: 2, to: 5, code: 'unreadable' })]);
  expect(await verify(log)).toMatchObject({ ok: true, records: 4 });
});

test('such a range is announced with where it begins and ends', async () => {
  await consumed();
  const announced: unknown[] = [];
  for await (const { records } of engine.log.read({ topic: 'rejected', partition: 0, from: 0, to: 1 })) {
    announced.push(
      ...records.map(
        ({ value }) => (JSON.parse(Buffer.from(value ?? []).toString()) as { data: object }).data,
      ),
    );
  }
  expect(announced).toEqual([
    expect.objectContaining({ code: 'unreadable', topic: 'notes', partition: 0, position: 2, to: 5 }),
  ]);
});

test('a range that was left out and can be read today does not make verification fail, before a redrive and after', async () => {
  const { parked } = await consumed();
  expect(await verify()).toMatchObject({ ok: true, records: 4 });
  expect(await engine.redrive(parked)).toEqual({ outcome: 'redriven' });
  expect(await verify()).toMatchObject({ ok: true, records: 4 });
});

test('a redrive reads the range again: what can be folded is, what is refused now is parked by itself', async () => {
  const { parked } = await consumed();
  expect(await engine.redrive(parked)).toEqual({ outcome: 'redriven' });
  expect(await engine.notes()).toEqual({ a: '1', b: '1', c: '1', f: '1' });
  const states = (await engine.parked()).map(({ id, body }) => `${id} ${body.state}`);
  expect(states.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'notes@1/notes/0/2-4 redriven',
    'notes@1/notes/0/3 parked',
    'notes@1/notes/0/4 parked',
  ]);
  expect(
    await engine.redrive((await engine.parked()).find(({ id }) => id === parked.id) as Stored<ParkedEvent>),
  ).toEqual({ outcome: 'gone' });
});

test('a redrive of what still cannot be read changes nothing and says why', async () => {
  const { log, parked } = await consumed();
  expect(await engine.redrive(parked, { log })).toEqual({
    outcome: 'still_rejected',
    reason: `it still cannot be read: ${REASON}`,
  });
  expect((await engine.parked())[0]?.body).toMatchObject({ state: 'parked', redrives: 1 });
});

test('a discarded range keeps the decision and none of the bytes', async () => {
  const { log, parked } = await consumed();
  expect(await discard(engine.documents, parked)).toEqual({ outcome: 'discarded' });
  expect((await engine.parked())[0]?.body).toMatchObject({ state: 'discarded', value: null, to: 5 });
  expect(await verify(log)).toMatchObject({ ok: true });
});

test('verification reports what cannot be read and was never parked', async () => {
  await engine.consume(['a', 1, '1'], ['b', 1, '1'], ['c', 1, '1']);
  const found = await verify(damagedLog(1, 2));
  expect(found.ok).toBe(false);
  expect(found.findings).toContainEqual({
    where: 'notes@1/notes/0/1-1',
    code: 'not_read',
    problem: `records were neither read nor parked: ${REASON}`,
  });
});

test('what was parked of a read model that this release does not have stays parked', async () => {
  const { parked } = await consumed();
  expect(await engine.redrive(parked, { projections: [] })).toMatchObject({
    outcome: 'still_rejected',
    reason: expect.stringContaining('notes@1'),
  });
});
