import { describe, expect, test } from 'vitest';

import { reportLags } from '../../../../src/projecting/health/lag-report.ts';
import { lagAge, readProgress } from '../../../../src/projecting/inspect/progress.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { LAGS, readLag } from '../../../../src/stores/lag.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

const engine = forEachTest(() => openEngine(1));

/** Reports what the lanes are now. */
async function report(documents: Documents = engine.documents): Promise<void> {
  const signal = AbortSignal.timeout(5000);
  const now = await documents.now();
  const lanes = (await readProgress(engine.parts)).map(async (lane) => ({
    ...lane,
    age: await lagAge(engine.log, lane, now, signal),
  }));
  await documents.declare(LAGS);
  await reportLags(documents, await Promise.all(lanes), now);
}

const said = () => readLag(engine.documents, 'notes@1');

/** A documents store whose clock is this much later than the records that are there. */
async function later(ms: number): Promise<Documents> {
  const [record] = await firstRecord();
  return overriding(engine.documents, { now: async () => (record?.timestamp ?? 0) + ms });
}

async function firstRecord() {
  const signal = AbortSignal.timeout(5000);
  for await (const batch of engine.log.read({ topic: 'notes', partition: 0, from: 0, to: 1, signal })) {
    return batch.records;
  }
  return [];
}

describe('the lag of a read model', () => {
  test('is 0 where every lane has consumed everything', async () => {
    await engine.publish(['a', 1, 'one']);
    await engine.start();
    await engine.settled();
    await report();
    expect((await said())?.lag_ms).toBe(0);
  });

  test('is the age of the oldest record that some lane has not consumed, of any worker', async () => {
    await engine.publish(['a', 1, 'one'], ['b', 1, 'two']);
    await report(await later(90_000));
    expect((await said())?.lag_ms).toBe(90_000);
  });

  test('counts for a lane that has halted, even where the records it waits for are gone', async () => {
    await engine.publish(['a', 1, 'one']);
    await using projector = await engine.start();
    await engine.settled();
    await projector[Symbol.asyncDispose]();
    await engine.publish(['b', 1, 'lost']);
    engine.cut(2);
    await report();
    expect((await said())?.lag_ms).toBeGreaterThan(365 * 24 * 3_600_000);
  });
});
