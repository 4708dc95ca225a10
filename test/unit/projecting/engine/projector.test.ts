import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Batch, Log } from '../../../../src/events/log/port.ts';
import { CHECKPOINTS, type Checkpoint } from '../../../../src/projecting/engine/lane.ts';
import { PARKED, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { readProgress } from '../../../../src/projecting/inspect/progress.ts';
import { discard, redrive } from '../../../../src/projecting/engine/redrive.ts';
import { createRetry } from '../../../../src/projecting/engine/retry.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import type { Stored } from '../../../../src/stores/documents/port.ts';
import { openEngine, type Engine } from '../../../support/engine.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await openEngine(1);
});
afterEach(() => engine[Symbol.asyncDispose]());

const LANE = 'notes@1/notes/0';
const verify = () => verifyProjection(NOTES, { ...engine.parts, signal: new AbortController().signal });

async function checkpoint(): Promise<Checkpoint | undefined> {
  return (await engine.documents.get<Checkpoint>(CHECKPOINTS.name, [LANE])).get(LANE)?.body;
}

async function parkedEvents(): Promise<readonly Stored<ParkedEvent>[]> {
  const batches = await Array.fromAsync(engine.documents.scan<ParkedEvent>(PARKED.name));
  return batches.flat();
}

describe('a projector', () => {
  test('folds what is in the log, then what comes, and checkpoints after it', async () => {
    await engine.publish(['a', 1, 'one'], ['b', 1, 'one']);
    await engine.start();
    expect(await engine.settled()).toBe('reached');
    await engine.publish(['a', 2, 'two'], ['a', 1, 'late']);
    await engine.settled();
    expect(await engine.notes()).toEqual({ a: 'two', b: 'one' });
    expect(await checkpoint()).toMatchObject({ position: 4, counts: { applied: 3, superseded: 1 } });
  });

  test('goes on at its checkpoint after a stop: nothing is consumed twice', async () => {
    const first = await engine.start();
    await engine.publish(...Array.from({ length: 25 }, (_, index) => ['a', index + 1, `t${index}`] as const));
    await engine.settled();
    await first[Symbol.asyncDispose]();
    await engine.publish(['a', 99, 'last']);
    await engine.start();
    await engine.settled();
    expect(await engine.notes()).toEqual({ a: 'last' });
    const { counts, epoch } = (await checkpoint()) as Checkpoint;
    expect(counts.applied + counts.superseded).toBe(26);
    expect(epoch).toBe(2);
  });

  test('joins a group whose name begins as the topics do: another installation on the same log is no member of it', async () => {
    const groups: string[] = [];
    const subscribe: Log['subscribe'] = (group, topics, handlers) => {
      groups.push(group);
      return engine.log.subscribe(group, topics, handlers);
    };
    await engine.log.ensureTopics([{ name: 'staging.notes', partitions: 1, retentionMs: null }]);
    await engine.start({
      log: overriding(engine.log, { subscribe }),
      topicName: (topic) => `staging.${topic}`,
    });
    expect(groups).toEqual(['staging.notes@1']);
  });

  test('parks what cannot be decoded or folded, tells upstream, and goes on with everything else', async () => {
    await engine.start();
    await engine.publish(
      ['a', 1, 'fine'],
      { raw: '{' },
      ['b', 1, 'boom'],
      ['b', 2, 'fine'],
      ['b', 3, 'no view'],
    );
    await engine.settled();
    expect(await engine.notes()).toEqual({ a: 'fine', b: 'fine' });
    const parked = await parkedEvents();
    expect(parked.map(({ id }) => id)).toEqual([1, 2, 4].map((position) => `${LANE}/${position}`));
    expect(parked[0]?.body).toMatchObject({
      state: 'parked',
      key: 'raw',
      value: Buffer.from('{').toString('base64'),
    });
    expect((await checkpoint())?.counts).toEqual({ applied: 2, superseded: 0, parked: 3, ignored: 0 });
    const announced: string[] = [];
    for await (const batch of engine.log.read({ topic: 'rejected', partition: 0, from: 0, to: 3 })) {
      for (const { key, value } of batch.records)
        announced.push(`${key} ${String(JSON.parse(String(Buffer.from(value ?? []))).data.reason)}`);
    }
    expect(announced).toEqual([
      '/test not a note',
      expect.stringContaining('the contribution threw'),
      expect.stringContaining('the view threw'),
    ]);
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('redrives a parked event into the same state as if it had been folded in its turn', async () => {
    await engine.start();
    await engine.publish(['a', 2, 'boom'], ['a', 1, 'old']);
    await engine.settled();
    const [stored] = await parkedEvents();
    const fixed = {
      ...NOTES,
      contribution: (event: Parameters<typeof NOTES.contribution>[0]) => {
        const { revision, text } = event.data as { revision: number; text: string };
        return { note: { at: revision, digest: event.digest, value: text } };
      },
    };
    const { parts } = engine;
    const retry = createRetry({ ...parts, signal: new AbortController().signal });
    const settle = { ...parts, projections: [fixed], retry, pause: async () => undefined, now: 0 };
    expect(await redrive(stored as Stored<ParkedEvent>, settle)).toEqual({ outcome: 'redriven' });
    expect(await engine.notes()).toEqual({ a: 'boom' });
    expect(await parkedEvents()).toEqual([]);
    expect(await redrive(stored as Stored<ParkedEvent>, { ...settle, projections: [] })).toMatchObject({
      outcome: 'still_rejected',
      reason: expect.stringContaining('notes@1'),
    });
  });

  test('discards a parked event: the content goes, the decision stays, verification respects it', async () => {
    await engine.start();
    await engine.publish({ raw: '{' });
    await engine.settled();
    const [stored] = await parkedEvents();
    expect(await discard(engine.documents, stored as Stored<ParkedEvent>)).toEqual({ outcome: 'discarded' });
    expect((await parkedEvents())[0]?.body).toMatchObject({ state: 'discarded', value: null });
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('never folds a batch that did not start at the checkpoint', async () => {
    await engine.publish(['a', 1, 'one'], ['a', 2, 'two'], ['a', 3, 'three']);
    await engine.start({ log: startingLate(engine.log) });
    await engine.settled();
    expect(await checkpoint()).toMatchObject({ position: 3, counts: { applied: 3 } });
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('halts on a gap, says so, and starts again once the gap is accepted', async () => {
    const first = await engine.start();
    await engine.publish(['a', 1, 'one']);
    await engine.settled();
    await first[Symbol.asyncDispose]();
    await engine.publish(['b', 1, 'lost'], ['c', 1, 'kept']);
    await engine.log.truncate('notes', 0, 2);
    const halted = await engine.start();
    expect(await engine.settled()).toBe('halted');
    await expect.poll(checkpoint).toMatchObject({ position: 1, halted: { reason: 'gap', from: 1, to: 2 } });
    await halted[Symbol.asyncDispose]();
    await engine.start({ acceptGaps: [LANE] });
    await expect.poll(checkpoint).toMatchObject({ position: 3, halted: null });
    expect(await engine.notes()).toEqual({ a: 'one', c: 'kept' });
    expect(await verify()).toMatchObject({ ok: true, logCut: true });
  });

  test('shares its documents with a second worker that believes it owns the same partition', async () => {
    await using other = await openEngine(1);
    const twice: Log = { ...bound(engine.log), subscribe: (...args) => other.log.subscribe(...args) };
    // The second worker takes its assignments from another log, but reads and writes here.
    await other.log.ensureTopics([{ name: 'notes', partitions: 1, retentionMs: null }]);
    await engine.start();
    await engine.start({ log: withFetch(twice, engine.log) });
    const notes = Array.from(
      { length: 200 },
      (_, index) => [`s${index % 7}`, 200 - index, `t${index}`] as const,
    );
    await engine.publish(...notes);
    await engine.settled();
    expect(await engine.notes()).toEqual(
      Object.fromEntries(Array.from({ length: 7 }, (_, s) => [`s${s}`, `t${s}`])),
    );
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('reports its progress', async () => {
    await engine.start();
    await engine.publish(['a', 1, 'one']);
    await engine.settled();
    const [lane] = await readProgress(engine.parts);
    expect(lane).toMatchObject({ readModel: 'notes@1', position: 1, latest: 1, lag: 0, halted: null });
  });
});

function bound(log: Log): Log {
  return {
    ensureTopics: (topics) => log.ensureTopics(topics),
    partitionCount: (topic) => log.partitionCount(topic),
    topicSettings: (topic) => log.topicSettings(topic),
    append: (records) => log.append(records),
    ends: (topic) => log.ends(topic),
    read: (range) => log.read(range),
    subscribe: (group, topics, handlers) => log.subscribe(group, topics, handlers),
    truncate: (topic, partition, before) => log.truncate(topic, partition, before),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A log whose first fetch begins one record too late, as a client's does that fetched before its seek took effect. */
function startingLate(log: Log): Log {
  let isFirst = true;
  return {
    ...bound(log),
    subscribe: (group, topics, handlers) =>
      log.subscribe(group, topics, {
        ...handlers,
        assigned: (assignment) =>
          handlers.assigned({
            ...assignment,
            signal: assignment.signal,
            report: (position) => assignment.report(position),
            confirm: () => assignment.confirm(),
            fetch: (from, limits) => {
              const late = isFirst ? 1 : 0;
              isFirst = false;
              return assignment.fetch(from + late, limits);
            },
          }),
      }),
  };
}

/** The assignments of one log, with the records of another. */
function withFetch(log: Log, records: Log): Log {
  return {
    ...log,
    subscribe: (group, topics, handlers) =>
      log.subscribe(group, topics, {
        ...handlers,
        assigned: ({ topic, partition, signal }) =>
          handlers.assigned({
            topic,
            partition,
            signal,
            report: () => undefined,
            confirm: async () => !signal.aborted,
            fetch: async (from, { maxRecords }): Promise<Batch> => {
              const [own] = await records.ends(topic);
              const to = Math.min(from + maxRecords, own?.latest ?? 0);
              for await (const batch of records.read({ topic, partition, from, to })) return batch;
              await new Promise((resolve) => setTimeout(resolve, 5));
              return { from, next: from, records: [] };
            },
          }),
      }),
  };
}
