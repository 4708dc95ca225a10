import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Status } from '../../src/monitor/body.ts';
import { DEFAULT_POLICY } from '../../src/monitor/policy.ts';
import type { MonitorEvent } from '../../src/events/monitor.ts';
import { expectAlike } from '../support/alike.ts';
import { countedAt, FIRST, MINUTE, redefined, target } from '../support/monitor.ts';
import { naiveStatus } from '../support/naive-monitor.ts';
import { rearranged, simulatedProbes } from '../support/simulated-probes.ts';
import { asUpstream, openStatusStage, type StatusStage } from '../support/status-stage.ts';

/**
 * What is served, after the whole way through log, projector, documents and summaries, against an independent
 * computation: three days of two targets, one of which is removed and defined again, their probes in any order and some
 * of them twice.
 */

const ROUNDS = 3 * 24 * 60;
/** Long ago: the log has the real time, and does not take probes from its future. */
const LONG_AGO = 200 * 24 * 60;
const START = FIRST - LONG_AGO;
const targets = ['bot_api', 'web'];
const probes = simulatedProbes({ targets, first: START, rounds: ROUNDS, seed: 11 });
const definitions = targets.map((id) => target(id, id !== 'web'));
const again = redefined('web', (START + 1000) * MINUTE + 20_000, { critical: false });
const events: readonly MonitorEvent[] = rearranged([...definitions, ...again, ...probes], 5);

let stage: StatusStage;
beforeAll(async () => {
  stage = await openStatusStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** In two batches from all over the three days, so that most of what comes second is late. */
const batches = [0, 1].map((half) => events.filter((_, index) => index % 2 === half));
const MOMENTS = [[ROUNDS + 45], [700, 1439, 2881, ROUNDS + 45]].map((indices) =>
  indices.map((index) => countedAt(index - LONG_AGO)),
);

test('every answer over three days is what looking back over all rounds gives, whatever the order', async () => {
  const known: MonitorEvent[] = [];
  for (const [index, batch] of batches.entries()) {
    await stage.publish(batch.map(asUpstream));
    known.push(...batch);
    for (const now of MOMENTS[index] ?? []) {
      const served = await stage.statusAt(now);
      expectAlike(JSON.parse(served) as Status, naiveStatus(known, now, DEFAULT_POLICY));
      // Another instance, whose memory is what was kept, says the same bytes.
      expect(await stage.statusAt(now, stage.start())).toBe(served);
    }
  }
});
