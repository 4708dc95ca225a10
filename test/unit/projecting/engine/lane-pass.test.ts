import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { NOTES } from '../../../support/fake-projection.ts';
import { openEngine, type Engine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';
import { CHECKPOINTS, type Checkpoint } from '../../../../src/projecting/engine/lane.ts';
import type { Projection } from '../../../../src/projecting/engine/projection.ts';

/** A lane that has several full batches to read gathers them, and writes each document once. */

const LANE = 'notes@1/notes/0';

const engine = forEachTest(() => openEngine(1));

function counting(): { readonly writes: string[]; readonly documents: Engine['documents'] } {
  const writes: string[] = [];
  const documents = overriding(engine.documents, {
    write: (collection, some, options) => {
      if (collection === 'notes@1') writes.push(...some.map(({ id }) => id));
      return engine.documents.write(collection, some, options);
    },
  });
  return { writes, documents };
}

const note = (index: number): [string, number, string] => [`key-${index % 3}`, index, `text ${index}`];
const forty = Array.from({ length: 40 }, (_, index) => note(index));

test('every document is written once for all the batches that wait', async () => {
  const { writes, documents } = counting();
  await engine.publish(...forty);
  await engine.start({ documents });
  await engine.settled();
  expect(writes.toSorted()).toEqual(['key-0', 'key-1', 'key-2']);
  expect(await engine.notes()).toEqual({ 'key-0': 'text 39', 'key-1': 'text 37', 'key-2': 'text 38' });
  expect(await engine.checkpoint()).toMatchObject({
    position: 40,
    counts: { applied: 40, parked: 0, ignored: 0 },
  });
});

test('what readers see is written after 20,000 records, so that its lane is seen to move', async () => {
  const { writes, documents } = counting();
  await engine.publish(...Array.from({ length: 21_000 }, (_, index) => note(index)));
  await engine.start({ documents, batchRecords: 1000 });
  await engine.settled();
  expect(writes.length).toBeGreaterThanOrEqual(6);
});

test('ends in the documents and the counts that taking the batches one by one ends in', async () => {
  const keys = fc.constantFrom('a', 'b', 'c', 'd');
  const record = fc.tuple(keys, fc.integer({ min: 1, max: 6 }), fc.constantFrom('x', 'y', null));
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 20, maxLength: 60 }), async (notes) => {
      const ends = [];
      for (const passRecords of [1, 1000]) {
        await using own = await openEngine(1);
        await own.publish(...notes);
        await own.start({ passRecords });
        await own.settled();
        const stored = await own.documents.get<Checkpoint>(CHECKPOINTS.name, [LANE]);
        const { counts = null, position } = stored.get(LANE)?.body ?? {};
        const seen = counts && counts.applied + counts.superseded + counts.parked + counts.ignored;
        ends.push({ notes: await own.notes(), position, seen });
      }
      expect(ends[1]).toEqual(ends[0]);
    }),
    { numRuns: 6 },
  );
});

test('an event that makes a document which cannot be shown is found, parked, and holds up nobody', async () => {
  const picky: Projection = {
    ...(NOTES as Projection),
    view: (id, registers) => {
      const view = NOTES.view(id, registers as Parameters<typeof NOTES.view>[1]);
      if (JSON.stringify(view).includes('text 17')) throw new Error('this cannot be shown');
      return view;
    },
  };
  await engine.publish(...forty.slice(0, 18));
  await engine.publish(
    ...Array.from({ length: 20 }, (_, index): [string, number, string] => ['other', index, 'x']),
  );
  await engine.start({ projections: [picky] });
  await engine.settled();
  expect(await engine.notes()).toEqual({
    'key-0': 'text 15',
    'key-1': 'text 16',
    'key-2': 'text 14',
    other: 'x',
  });
  expect(await engine.checkpoint()).toMatchObject({ position: 38, counts: { parked: 1 } });
});
