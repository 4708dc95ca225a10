import { describe, expect, onTestFinished, test } from 'vitest';

import {
  createCompletion,
  type CompletionParts,
} from '../../../../src/projecting/health/build-completion.ts';
import { readProgress } from '../../../../src/projecting/inspect/lane-progress.ts';
import { readBuild } from '../../../../src/stores/builds.ts';
import { OUTBOX_INDEX } from '../../../../src/stores/outbox.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { newVersion } from '../../../../src/stores/documents/port.ts';
import { putFeedLease } from '../../../support/read-models.ts';

const engine = forEachTest(() => openEngine(1));

const noIndexes = { indexes: async () => [] };
const build = () => readBuild(engine.documents, 'notes@1');

/** Looks once, as a projector does every few seconds. */
function looking(overrides: Partial<CompletionParts> = {}) {
  const completion = createCompletion({ ...engine.parts, search: noIndexes, ...overrides });
  onTestFinished(() => completion[Symbol.dispose]());
  return async () => completion.take(await readProgress({ ...engine.parts, ...overrides }));
}

async function isComplete(): Promise<boolean> {
  const found = await build();
  return found !== null && found.completed_at !== null;
}

describe('a read model', () => {
  test('is complete once what was in the log at the beginning is consumed, however the log grows meanwhile', async () => {
    await engine.publish(['a', 1, 'one'], ['b', 1, 'two']);
    const look = looking();
    await look();
    await expect.poll(build).toMatchObject({ targets: { 'notes@1/notes/0': 2 }, completed_at: null });
    await engine.publish(['a', 2, 'more']);
    await look();
    expect(await isComplete()).toBe(false);
    await engine.consume();
    await engine.publish(['a', 3, 'not consumed'], ['c', 1, 'nor this']);
    await expect.poll(async () => (await look(), isComplete())).toBe(true);
    expect((await build())?.targets).toEqual({ 'notes@1/notes/0': 2 });
  });

  test('of an empty log is complete once its lanes are claimed, and not before', async () => {
    const look = looking();
    await look();
    await expect.poll(build).not.toBeNull();
    await look();
    expect(await isComplete()).toBe(false);
    await engine.start();
    await expect.poll(async () => (await look(), isComplete())).toBe(true);
  });

  test('whose topic does not exist is not begun: its end is not known', async () => {
    const look = looking({ projections: [{ ...NOTES, topics: ['notes', 'missing'] }] });
    await look();
    const after = looking();
    await after();
    await expect.poll(build).not.toBeNull();
    expect(Object.keys((await build())?.targets ?? {})).toEqual(['notes@1/notes/0']);
  });

  test('that is searched is not complete before a feeder has found its index to be the right one', async () => {
    const searched = { ...NOTES, searchEntry: () => null };
    await engine.documents.declare({ name: 'notes@1', indexes: [OUTBOX_INDEX] });
    await engine.start();
    await expect
      .poll(async () => (await readProgress(engine.parts)).map((lane) => lane.position))
      .toEqual([0]);
    // One of an earlier installation, say.
    const look = looking({ projections: [searched], search: { indexes: async () => ['notes@1'] } });
    await look();
    await expect.poll(build).not.toBeNull();
    for (let again = 0; again < 20; again += 1) await look();
    expect(await isComplete()).toBe(false);
    await putFeedLease(engine.documents, 'notes@1', 'fed');
    await expect.poll(async () => (await look(), isComplete())).toBe(true);
  });

  test('that is searched is complete once its index is there and has been told of what waits', async () => {
    const searched = { ...NOTES, searchEntry: () => null };
    await engine.documents.declare({ name: 'notes@1', indexes: [OUTBOX_INDEX] });
    await engine.start();
    await engine.settled();
    await putFeedLease(engine.documents, 'notes@1', 'fed');
    const body = { registers: {}, view: {}, dirty: { mark: 'put' } };
    const version = newVersion();
    await engine.documents.write('notes@1', [{ id: 'w', read: null, version, body }]);
    const missing = looking({ projections: [searched] });
    const there = looking({ projections: [searched], search: { indexes: async () => ['notes@1'] } });
    await missing();
    await there();
    await expect.poll(build).not.toBeNull();
    expect(await isComplete()).toBe(false);
    await engine.documents.remove('notes@1', [{ id: 'w', read: version }]);
    await missing();
    expect(await isComplete()).toBe(false);
    await expect.poll(async () => (await there(), isComplete())).toBe(true);
  });
});
