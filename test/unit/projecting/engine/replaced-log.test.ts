import { beforeEach, describe, expect, test } from 'vitest';

import type { Batch, Log, LogRecord } from '../../../../src/events/log/port.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import { haltsOf, openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { withFetch } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** A log that is restored from a backup, or made again, and has grown past the checkpoint. */

const LANE = 'notes@1/notes/0';
const UNCOMPARED = 'the last record cannot be compared with the log: the lane goes on';

const engine = forEachTest(() => openEngine(1));

/** The records of a partition as a test has them; everything else is the engine's own log. */
function logOf(records: () => readonly LogRecord[], earliest = () => 0): Log {
  const latest = (): number => (records().at(-1)?.position ?? -1) + 1;
  const between = (from: number, to: number): Batch => {
    const found = records().filter(({ position }) => position >= from && position < to);
    return { from, next: Math.max(from, Math.min(to, latest())), records: found };
  };
  const replaced = overriding(engine.log, {
    ends: async (topic) =>
      topic === 'notes' ? [{ partition: 0, earliest: earliest(), latest: latest() }] : engine.log.ends(topic),
    async *read({ topic, from, to, ...range }) {
      if (topic === 'notes') yield between(from, to);
      else yield* engine.log.read({ topic, from, to, ...range });
    },
  });
  return withFetch(replaced, async (_, from, { maxRecords }) => {
    const batch = between(from, from + maxRecords);
    if (batch.next === from) await new Promise((resolve) => setTimeout(resolve, 2));
    return batch;
  });
}

function notesNamed(...names: readonly string[]): LogRecord[] {
  return names.map((name, position) => record(position, name));
}

function record(position: number, name: string, timestamp = 1000 + position): LogRecord {
  const value = Buffer.from(JSON.stringify([1, name]));
  return { topic: 'notes', partition: 0, position, timestamp, key: name, value, headers: { name } };
}

/** Folds a first log and stops. */
async function consume(records: readonly LogRecord[]): Promise<void> {
  const first = await engine.start({ log: logOf(() => records) });
  await expect.poll(async () => (await engine.checkpoint())?.position).toBe(records.length);
  await first[Symbol.asyncDispose]();
}

const halted = async () => (await engine.checkpoint())?.halted ?? null;

describe('a log that has been replaced and has grown past the checkpoint', () => {
  test('halts its lane at the claim, and nothing of it is folded', async () => {
    await consume(notesNamed('a', 'lost', 'lost 2'));
    const restored = notesNamed('a', 'new 1', 'new 2', 'new 3', 'new 4');
    const projector = await engine.start({ log: logOf(() => restored) });
    await expect.poll(halted).toEqual({ reason: 'log_replaced', position: 2, time: 1002, found: 1002 });
    expect(await engine.checkpoint()).toMatchObject({ position: 3 });
    expect(Object.keys(await engine.notes())).toEqual(['a', 'lost', 'lost 2']);
    expect(haltsOf(projector).get(LANE)).toContain('it was replaced or restored');
  });

  test('is folded from its start once it is accepted, as another incarnation', async () => {
    await consume(notesNamed('a', 'lost'));
    const log = logOf(() => notesNamed('a', 'new 1', 'new 2'));
    await engine.start({ log, acceptGaps: [LANE] });
    await expect.poll(engine.checkpoint).toMatchObject({
      position: 3,
      incarnation: 1,
      halted: null,
      counts: { applied: 2, superseded: 1 },
      last: { position: 2 },
    });
    expect(Object.keys(await engine.notes())).toEqual(['a', 'lost', 'new 1', 'new 2']);
  });

  test('is noticed before its records are folded, by a lane that was running', async () => {
    const clock = createTestClock();
    let records = notesNamed('a', 'b');
    await engine.start({ clock, log: logOf(() => records) });
    await expect.poll(engine.checkpoint).toMatchObject({ position: 2 });
    clock.advance(4000);
    records = notesNamed('x', 'y', 'z');
    for (let reading = 1; reading < 3; reading += 1) await clock.pass(5);
    await expect.poll(halted).toMatchObject({ reason: 'log_replaced', position: 1 });
    expect(Object.keys(await engine.notes())).toEqual(['a', 'b']);
  });

  test('is a finding of verification', async () => {
    await consume(notesNamed('a', 'b'));
    const log = logOf(() => notesNamed('a', 'other', 'c'));
    const signal = new AbortController().signal;
    const { ok, findings } = await verifyProjection(NOTES, { ...engine.parts, log, signal });
    expect(ok).toBe(false);
    expect(findings).toContainEqual({
      where: LANE,
      code: 'halted',
      problem: expect.stringContaining('it was replaced'),
    });
  });
});

describe('what cannot be compared does not halt a lane, and its worker logs so once', () => {
  let warnings: unknown[];
  beforeEach(() => {
    warnings = [];
  });
  const logger = createLogger('warn', 'test', { write: (line) => void warnings.push(JSON.parse(line)) });
  const told = (found: string) => [
    expect.objectContaining({ level: 'warn', lane: LANE, position: 1, found, msg: UNCOMPARED }),
  ];

  test('retention has taken the last record', async () => {
    await consume(notesNamed('a', 'b'));
    const records = [...notesNamed('a', 'b'), record(2, 'c')].slice(2);
    const isEmpty = { at: true };
    const log = logOf(
      () => (isEmpty.at ? records.slice(0, 0) : records),
      () => 2,
    );
    const ends: Log['ends'] = async () => [{ partition: 0, earliest: 2, latest: isEmpty.at ? 2 : 3 }];
    await engine.start({ logger, log: overriding(log, { ends }) });
    await expect.poll(engine.checkpoint).toMatchObject({ epoch: 2, halted: null });
    isEmpty.at = false;
    await expect.poll(engine.checkpoint).toMatchObject({ position: 3, last: { position: 2 } });
    expect(warnings).toEqual(told('absent'));
  });

  test('the log gives it out as one of a range that cannot be read', async () => {
    const records = notesNamed('a', 'b');
    await consume(records);
    const log = overriding(
      logOf(() => records),
      {
        async *read({ topic, partition, from, to }) {
          const damage = { code: 'unreadable', reason: 'damaged', bytes: null, timestamp: 0 } as const;
          yield { from, next: to, records: [], unreadable: [{ topic, partition, from, to, ...damage }] };
        },
      },
    );
    await engine.start({ logger, log });
    await expect.poll(engine.checkpoint).toMatchObject({ epoch: 2, halted: null });
    await expect.poll(() => warnings).toEqual(told('unreadable'));
  });
});
