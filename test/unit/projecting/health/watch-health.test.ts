import { Registry } from 'prom-client';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { Clock } from '../../../../src/platform/time/clock.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { watchHealth, type HealthParts } from '../../../../src/projecting/health/watch-health.ts';
import type { LaneState } from '../../../../src/projecting/engine/lane-states.ts';
import { lagAge, readProgress } from '../../../../src/projecting/inspect/lane-progress.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { changeDocument } from '../../../../src/stores/documents/change-document.ts';
import { isAlive } from '../../../../src/stores/heartbeats.ts';
import { LAGS, readLag } from '../../../../src/stores/lag-notes.ts';
import { readWorkers, WORKERS, type Worker } from '../../../../src/stores/workers.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const engine = forEachTest(() => openEngine(1));
const clock = forEachTest(() => createTestClock());

const lane = { readModel: 'notes@1', topic: 'notes', partition: 0 };
const NAME = 'notes@1/notes/0';
/** The time of a store that stands still. */
const NOW = Date.parse('2026-11-20T10:00:00Z');

/** A projector that says this of the lanes that are assigned to it. */
function watching(lanes: () => readonly LaneState[], overrides: Partial<HealthParts> = {}) {
  const parts = { ...engine.parts, clock, registry: new Registry(), where: 'here:1', ...overrides };
  const watch = watchHealth(parts, { owner: 'me', lanes });
  onTestFinished(() => watch[Symbol.asyncDispose]());
  return watch;
}

const assigned = (state: LaneState['state'], reason: string | null = null): readonly LaneState[] => [
  { lane, state, since: clock.monotonic(), reason },
];

const stringMatching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describe('a projector', () => {
  test('that cannot claim its lane says so at once, and is not ready from 15 s on', async () => {
    await engine.publish(['a', 1, 'one']);
    const documents = overriding(engine.documents, { now: () => Promise.resolve(NOW) });
    const watch = watching(() => assigned('claiming', 'the disk is full'), { documents });
    expect(await watch.look()).toMatchObject({
      ok: true,
      detail: stringMatching(
        /^1 lane, 1 behind; \S+: not claimed yet by here:1: the disk is full\. .+ \(since /,
      ),
      findings: [{ severity: 'note', code: 'not_claimed', subject: NAME }],
    });
    clock.advance(12_000);
    const since = new Date(NOW - 12_000).toISOString();
    expect(await watch.look()).toMatchObject({
      ok: false,
      findings: [{ severity: 'problem', code: 'not_claimed', subject: NAME, since }],
    });
  });

  test('whose store takes no writes is not ready: it has been given a lane and does not get hold of it', async () => {
    const write = (): Promise<never> => Promise.reject(new RetryableError('the disk is full'));
    const documents = overriding(engine.documents, { write });
    const projector = await engine.start({ documents, clock });
    await engine.publish(['a', 1, 'one']);
    await using watch = watchHealth(
      { ...engine.parts, documents, clock, registry: new Registry(), where: 'here:1' },
      projector,
    );
    await expect
      .poll(async () => (await watch.look()).detail)
      .toMatch(/not claimed yet by .+ the disk is full/);
    clock.advance(12_000);
    expect(await watch.look()).toMatchObject({ ok: false });
  });

  test('whose store takes no writes is not ready though it has nothing to write; it is once it takes them', async () => {
    let isFull = true;
    const write: Documents['write'] = async (...asked) => {
      if (isFull) throw new RetryableError('the disk is full');
      return await engine.documents.write(...asked);
    };
    const documents = overriding(engine.documents, { write });
    const logged: string[] = [];
    const logger = { ...engine.parts.logger, warn: (_: object, said: string) => void logged.push(said) };
    const watch = watching(() => [], { documents, logger: logger as HealthParts['logger'] });
    expect(await watch.look()).toMatchObject({ ok: true });
    await expect.poll(() => logged).toContain('this process cannot say that it is there');
    clock.advance(12_000);
    const reason = 'it takes no writes: the disk is full';
    expect(await watch.look()).toMatchObject({
      ok: false,
      findings: [{ code: 'store_fails', subject: 'documents', reason }],
    });
    isFull = false;
    await expect.poll(async () => (await watch.look()).ok).toBe(true);
  });

  test('without lanes is ready, and is not once lanes have stood still for long that no live projector has', async () => {
    await engine.publish(['a', 1, 'one']);
    const watch = watching(() => []);
    expect(await watch.look()).toMatchObject({ ok: true, detail: '0 lanes, 0 behind' });
    clock.advance(29_000);
    expect(await watch.look()).toMatchObject({ ok: true });
    clock.advance(2000);
    expect(await watch.look()).toMatchObject({
      ok: false,
      findings: [{ code: 'no_owner', subject: NAME, waiting: 1 }],
    });
    // Another one has it by now.
    await engine.documents.declare(WORKERS);
    const at = await engine.documents.now();
    const lanes = { [NAME]: { state: 'running', since: at, reason: null } } as const;
    const other: Worker = { at, where: 'there:2', ok: true, detail: '', lanes };
    await changeDocument(engine.documents, WORKERS.name, 'other', () => other);
    expect(await watch.look()).toMatchObject({ ok: true });
  });

  test('whose lane is paused for too long is not ready, and ready again once it runs', async () => {
    let lanes = assigned('paused', 'the store answers nonsense');
    const watch = watching(() => lanes);
    await watch.look();
    clock.advance(12_000);
    expect(await watch.look()).toMatchObject({
      ok: false,
      detail: stringMatching(/paused by here:1: the store answers nonsense\./),
    });
    lanes = assigned('running');
    expect(await watch.look()).toMatchObject({ ok: true, detail: '1 lane, 0 behind' });
  });

  test('whose lane has halted is not ready at once, with the reason', async () => {
    const watch = watching(() => assigned('halted', 'the log no longer holds the records'));
    expect(await watch.look()).toMatchObject({
      ok: false,
      detail: stringMatching(
        /its projector says: the log no longer holds the records\. Bring back .+ --accept-gap/,
      ),
    });
  });

  test('whose look does not come back is not ready: what it saw before is no longer true', async () => {
    const { promise, resolve } = Promise.withResolvers<never>();
    let isHanging = false;
    const ends = (topic: string) => (isHanging ? promise : engine.log.ends(topic));
    const watch = watching(() => assigned('running'), { log: overriding(engine.log, { ends }) });
    expect((await watch.look()).ok).toBe(true);
    isHanging = true;
    void watch.look();
    expect(watch.latest().ok).toBe(true);
    clock.advance(14_000);
    expect(watch.latest()).toMatchObject({
      ok: false,
      findings: [{ code: 'store_fails', reason: 'progress could not be read for 14 s' }],
    });
    resolve(undefined as never);
  });

  test('is ready though one look at the log shows fewer records than were read: three that agree halt a lane', async () => {
    await engine.publish(['a', 1, 'one'], ['b', 1, 'two']);
    await using _projector = await engine.start();
    await expect.poll(async () => (await engine.checkpoint())?.position).toBe(2);
    const ends = async (topic: string) =>
      (await engine.log.ends(topic)).map((each) => ({ ...each, latest: 1, readable: 1 }));
    const watch = watching(() => assigned('running'), { log: overriding(engine.log, { ends }) });
    expect(await watch.look()).toMatchObject({ ok: true });
  });

  test('in trouble with many lanes names the first ones', async () => {
    const many = Array.from({ length: 30 }, (_, partition) => ({
      lane: { ...lane, partition },
      state: 'halted' as const,
      since: 0,
      reason: `lane ${partition}`,
    }));
    const { detail } = await watching(() => many).look();
    expect(detail.match(/lane \d+/g)).toEqual(['lane 0', 'lane 1', 'lane 2', 'lane 3']);
    expect(detail).toMatch(/; and 26 more$/);
  });
});

const words = async () => [...(await readWorkers(engine.documents)).values()];

test('the worker’s word stands in the documents with its lanes, by the store’s clock, and goes when the worker leaves', async () => {
  const now = 1_800_000_000_000;
  const documents = overriding(engine.documents, { now: async () => now });
  clock.advance(50_000);
  const lanes = assigned('paused', 'why');
  const watch = watching(() => lanes, { documents });
  await watch.look();
  await expect.poll(words).not.toEqual([]);
  clock.advance(30_000);
  await watch.look();
  await expect.poll(words).toMatchObject([
    {
      at: now,
      where: 'here:1',
      ok: false,
      lanes: { [NAME]: { state: 'paused', since: now - 30_000, reason: 'why' } },
    },
  ]);
  const [word] = await words();
  expect(word && [isAlive(word, now + 14_000), isAlive(word, now + 16_000)]).toEqual([true, false]);
  await watch[Symbol.asyncDispose]();
  expect(await words()).toEqual([]);
});

test.each([-3_600_000, 0, 3_600_000])(
  'the age of the backlog is right on a machine that is %i ms off',
  async (off) => {
    await engine.publish(['a', 1, 'one']);
    const registry = new Registry();
    const now = async () => (await recordTime()) + 90_000;
    const wrong: Clock = { ...clock, now: () => Date.now() + off };
    const documents = overriding(engine.documents, { now });
    await watching(() => assigned('running'), { clock: wrong, documents, registry }).look();
    const shown = await registry.getSingleMetric('catalog_lane_lag_seconds')?.get();
    expect(shown?.values).toEqual([{ labels: { lane: NAME }, value: 90 }]);
    // Of any worker: nobody has consumed it.
    await expect.poll(lagSaid).toBe(90_000);
  },
);

/** How far the read model is behind, as the processes that serve are told. */
async function lagSaid(): Promise<number | null> {
  await engine.documents.declare(LAGS);
  return (await readLag(engine.documents, 'notes@1'))?.lag_ms ?? null;
}

describe('the lag of a read model', () => {
  test('is 0 where every lane has consumed everything', async () => {
    await engine.consume(['a', 1, 'one']);
    await watching(() => []).look();
    await expect.poll(lagSaid).toBe(0);
  });

  test('counts for a lane that has halted, even where the records it waits for are gone', async () => {
    await engine.consume(['a', 1, 'one']);
    await engine.publish(['b', 1, 'lost']);
    engine.cut(2);
    await watching(() => []).look();
    await expect.poll(lagSaid).toBeGreaterThan(365 * 24 * 3_600_000);
  });
});

test('a lane of others whose records cannot be read makes nobody unready', async () => {
  await engine.publish(['a', 1, 'one']);
  const log = overriding(engine.log, {
    read: () => {
      throw new RetryableError('The log cannot be read');
    },
  });
  expect(await watching(() => [], { log }).look()).toMatchObject({ ok: true });
});

async function recordTime(): Promise<number> {
  const signal = AbortSignal.timeout(120_000);
  for await (const { records } of engine.log.read({ topic: 'notes', partition: 0, from: 0, to: 1, signal }))
    return records[0]?.timestamp ?? 0;
  return 0;
}

describe('an open transaction', () => {
  test('is what a lane is said to wait for: it counts as lag, and as no stall', async () => {
    await engine.publish(['a', 1, 'one'], ['a', 2, 'two']);
    const progress = async () => {
      const [found] = await readProgress(engine.parts);
      if (!found) throw new Error('there is no lane');
      return { ...found, position: 1, readable: 1 };
    };
    const { judge } = await import('../../../../src/projecting/health/judge-lanes.ts');
    const open = await progress();
    const running = { lane, where: 'here:1', state: 'running', since: 0, reason: null } as const;
    expect(judge([{ ...running, progress: open }], 0)).toMatchObject({
      ok: true,
      findings: [{ severity: 'note', code: 'waits_for_transaction', subject: NAME, waiting: 2 }],
    });
    expect(await lagAge(engine.log, open, 0, AbortSignal.timeout(120_000))).toBeNull();
  });
});
