import { describe, expect, test } from 'vitest';

import { PARKED, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { discard, type Settled } from '../../../../src/projecting/engine/redrive.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import type { Documents, Stored } from '../../../../src/stores/documents/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';

/** The projection once it is fixed: nothing that it is told makes it throw. */
const MENDED: typeof NOTES = {
  ...NOTES,
  contribution: (event) => {
    const { revision, text } = event.data as { readonly revision: number; readonly text: string };
    return { note: { at: revision, digest: event.digest.slice(0, 32), value: text } };
  },
};

const engine = forEachTest(() => openEngine(1));

const signal = new AbortController().signal;

async function parkOne(): Promise<Stored<ParkedEvent>> {
  await engine.start();
  await engine.publish(['a', 1, 'boom']);
  await engine.settled();
  return (await engine.parked())[0] as Stored<ParkedEvent>;
}

function redriving(parked: Stored<ParkedEvent>, documents = engine.documents, projection = MENDED) {
  return engine.redrive(parked, { documents, projections: [projection] });
}

/** A store in which somebody else acts before the first call of this method on the parked events. */
function before(method: 'write' | 'remove', act: () => Promise<unknown>): Documents {
  let isFirst = true;
  const first = async (collection: string): Promise<void> => {
    if (collection !== PARKED.name || !isFirst) return;
    isFirst = false;
    await act();
  };
  const { documents } = engine;
  return overriding(
    documents,
    method === 'write'
      ? {
          write: async (collection, writes) => (await first(collection), documents.write(collection, writes)),
        }
      : { remove: async (collection, ids) => (await first(collection), documents.remove(collection, ids)) },
  );
}

describe('redriving and discarding the same parked event at the same time', () => {
  test('a redrive that has folded it takes it off, though it was discarded meanwhile', async () => {
    const parked = await parkOne();
    const others: Settled[] = [];
    const documents = before('remove', async () => others.push(await discard(engine.documents, parked)));
    expect(await redriving(parked, documents)).toEqual({ outcome: 'redriven' });
    expect(others).toEqual([{ outcome: 'discarded' }]);
    expect(await engine.parked()).toEqual([]);
    expect(await engine.notes()).toEqual({ a: 'boom' });
    expect(await verifyProjection(MENDED, { ...engine.parts, signal })).toMatchObject({ ok: true });
  });

  test('a redrive that fails again does not bring a discarded event back', async () => {
    const parked = await parkOne();
    const documents = before('write', () => discard(engine.documents, parked));
    expect(await redriving(parked, documents, NOTES)).toMatchObject({ outcome: 'still_rejected' });
    expect((await engine.parked()).map(({ body }) => body)).toMatchObject([
      { state: 'discarded', value: null },
    ]);
  });
});

test('an event of a read model that this release does not have stays parked', async () => {
  const parked = await parkOne();
  expect(await engine.redrive(parked, { projections: [] })).toMatchObject({
    outcome: 'still_rejected',
    reason: expect.stringContaining('notes@1'),
  });
});
