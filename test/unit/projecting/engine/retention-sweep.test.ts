import { describe, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import type { Projection, ReadModelDocument } from '../../../../src/projecting/engine/projection.ts';
import { startSweeper, sweepProjection } from '../../../../src/projecting/engine/retention-sweep.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import { newVersion, type Documents } from '../../../../src/stores/documents/port.ts';
import { monitor } from '../../../../projections/monitor/index.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES, type NoteRegisters, type NoteView } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { putDocument } from '../../../support/documents.ts';

const signal = new AbortController().signal;

/** Notes that are named for days: of these the newest two are kept, and of a note that reads "long" only "short". */
const DAYS: Projection<NoteRegisters, NoteView> = {
  ...NOTES,
  outside: (ids) => ids.toSorted().slice(0, -2),
  view: () => ({ text: null }),
  trim: (registers) =>
    registers.note?.value === 'long' ? { note: { ...registers.note, value: 'short' } } : registers,
};

const engine = forEachTest(() => openEngine(1));

async function publish(...notes: readonly (readonly [string, number, string])[]): Promise<void> {
  const projector = await engine.start({ projections: [DAYS] });
  await engine.publish(...notes);
  await engine.settled();
  await projector[Symbol.asyncDispose]();
}

const sweep = (documents: Documents = engine.documents) => sweepProjection(DAYS, { documents, signal });
const verified = async () => {
  const { ok, findings } = await verifyProjection(DAYS, { ...engine.parts, projections: [DAYS], signal });
  return ok || findings;
};
const valueOf = async (id: string): Promise<string | null | undefined> => {
  const stored = await engine.documents.get<{ readonly registers: NoteRegisters }>('notes@1', [id]);
  return stored.get(id)?.body.registers.note?.value;
};

describe('sweeping', () => {
  test('removes documents outside the windows and trims the others, and verification passes before and after', async () => {
    await publish(['day-1', 1, 'x'], ['day-2', 1, 'long'], ['day-3', 1, 'x']);
    expect(await verified()).toBe(true);
    expect(await sweep()).toEqual({ trimmed: 1, removed: 1 });
    expect([await valueOf('day-1'), await valueOf('day-2'), await valueOf('day-3')]).toEqual([
      undefined,
      'short',
      'x',
    ]);
    expect(await verified()).toBe(true);
    expect(await sweep()).toEqual({ trimmed: 0, removed: 0 });
  });

  test('leaves what a document still has to tell its index, under a version that a feeder has not sent', async () => {
    await publish(['day-1', 1, 'x'], ['day-2', 1, 'long']);
    const stored = async () =>
      (await engine.documents.get<ReadModelDocument>('notes@1', ['day-2'])).get('day-2');
    const before = await stored();
    const version = newVersion();
    const body = { ...before?.body, dirty: { mark: 'put' } };
    await engine.documents.write('notes@1', [{ id: 'day-2', read: before?.version ?? null, version, body }]);
    expect(await sweep()).toEqual({ trimmed: 1, removed: 0 });
    const after = await stored();
    expect(after?.body.dirty).toEqual({ mark: 'put' });
    expect(after?.version).not.toBe(version);
  });

  test('an old event that comes after the sweep is folded, is no finding, and is swept again', async () => {
    await publish(['day-1', 1, 'x'], ['day-2', 1, 'x'], ['day-3', 1, 'x']);
    await sweep();
    await publish(['day-1', 1, 'x'], ['day-1', 2, 'late']);
    expect(await valueOf('day-1')).toBe('late');
    expect(await verified()).toBe(true);
    expect(await sweep()).toEqual({ trimmed: 0, removed: 1 });
  });

  test('a document inside the windows that is gone is still found missing', async () => {
    await publish(['day-1', 1, 'x'], ['day-2', 1, 'x'], ['day-3', 1, 'x']);
    const read = (await engine.documents.versions('notes@1', ['day-3'])).get('day-3') ?? '';
    await engine.documents.remove('notes@1', [{ id: 'day-3', read }]);
    expect(await verified()).toEqual([
      { where: 'day-3', code: 'missing', problem: 'events define it, and it is missing' },
    ]);
  });

  test('a document that changes while it is swept keeps the change', async () => {
    await publish(['day-1', 1, 'long'], ['day-2', 1, 'x']);
    const body = { registers: { note: { at: 2, digest: 'd', value: 'new' } }, view: { text: null } };
    const interrupted = overriding(engine.documents, {
      write: async (collection, writes) => {
        await putDocument(engine.documents, 'notes@1', 'day-1', body);
        return engine.documents.write(collection, writes);
      },
    });
    expect(await sweep(interrupted)).toEqual({ trimmed: 0, removed: 0 });
    expect(await valueOf('day-1')).toBe('new');
  });
});

test('a sweep that fails is made good by the next one', async () => {
  await publish(['day-1', 1, 'x'], ['day-2', 1, 'x'], ['day-3', 1, 'x']);
  const clock = createTestClock();
  let isDown = true;
  const documents = overriding(engine.documents, {
    remove: (collection, removals) => {
      if (isDown) throw new RetryableError('down');
      return engine.documents.remove(collection, removals);
    },
  });
  const parts = { ...engine.parts, documents, projections: [DAYS], clock, random: () => 0.5 };
  await using _sweeper = startSweeper(parts);
  const anHour = async (): Promise<void> => {
    clock.advance(3_600_000);
    await clock.sleeping(3_600_000);
  };
  await anHour();
  expect(await valueOf('day-1')).toBe('x');
  isDown = false;
  await anHour();
  expect(await valueOf('day-1')).toBeUndefined();
});

test('of the monitor, hours more than 100 days before the newest one of their target are outside', () => {
  const ids = ['a', 'a/5000', 'a/2601', 'a/2600', 'b/2600', 'b', 'c/1'];
  expect([...(monitor.outside?.(ids) ?? [])]).toEqual(['a/2600']);
});
