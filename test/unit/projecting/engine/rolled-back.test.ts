import { describe, expect, test } from 'vitest';

import type { CatalogEvent } from '../../../../src/events/event.ts';
import { foldDocument } from '../../../../src/projecting/engine/fold.ts';
import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import { park, PARKED, parkedId } from '../../../../src/projecting/engine/parking.ts';
import type { Projection } from '../../../../src/projecting/engine/projection.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import { newVersion, type Documents, type Stored } from '../../../../src/stores/documents/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { noteEvent, NOTES } from '../../../support/fake-projection.ts';
import { rejectedFor } from '../../../support/records.ts';
import { overriding } from '../../../support/overriding.ts';
import { putDocument } from '../../../support/documents.ts';

/** What a read has shown, and a failover has taken back, before anything was written on top of it. */

const engine = forEachTest(() => openEngine(1));

/** A document that its writer was never told of: the first read shows it, a majority does not have it. */
function showingOnce(collection: string, phantom: Stored<unknown>): Documents {
  let isShown = true;
  return overriding(engine.documents, {
    get: async <Body>(name: string, ids: readonly string[]) => {
      const found = await engine.documents.get<Body>(name, ids);
      if (name === collection && isShown) {
        isShown = false;
        found.set(phantom.id, phantom as Stored<Body>);
      }
      return found;
    },
  });
}

function folded(event: CatalogEvent): Stored<unknown> {
  const projection = NOTES as Projection;
  const { registers, shown } = foldDocument(projection, 'a', projection.registers.empty, [event]);
  return { id: 'a', version: newVersion(), body: { registers, view: shown?.view } };
}

test('the checkpoint does not pass an event that was superseded by what a failover took back: it is folded again', async () => {
  await engine.publish(['a', 1, 'x']);
  const documents = showingOnce('notes@1', folded(noteEvent('a', 1, 'x')));
  await engine.start({ documents });
  await engine.settled();
  expect(await engine.notes()).toEqual({ a: 'x' });
  const signal = new AbortController().signal;
  expect(await verifyProjection(NOTES, { ...engine.parts, signal })).toMatchObject({ ok: true });
});

describe('an event that somebody else has parked', () => {
  const lane = { readModel: 'notes@1', topic: 'notes', partition: 0, incarnation: 0 };
  const id = parkedId(lane, 0, 0);
  const record = {
    topic: 'notes',
    partition: 0,
    position: 0,
    timestamp: 0,
    key: 'a',
    value: null,
    headers: {},
  };
  const rejection = rejectedFor('not_json', 'x');
  const parking = (documents: Documents): Promise<number> =>
    park({ documents, log: engine.log }, { lane, now: 0, announceOn: 'rejected' }, [{ record, rejection }]);

  test('counts as parked only once a majority has it', async () => {
    await engine.documents.declare(PARKED);
    const rolledBack = overriding(engine.documents, {
      versions: async (collection, ids, options) =>
        options?.durable ? engine.documents.versions(collection, ids) : new Map([[id, 'unreplicated']]),
    });
    await expect(parking(rolledBack)).rejects.toThrow('not with a majority yet');
    expect(await parking(engine.documents)).toBe(1);
    expect(await parking(engine.documents)).toBe(0);
  });
});

test('a worker that was replaced neither parks nor announces what a newer release may have folded', async () => {
  let isReplaced = false;
  const documents = overriding(engine.documents, {
    get: async <Body>(collection: string, ids: readonly string[]) => {
      const found = await engine.documents.get<Body>(collection, ids);
      if (collection === 'notes@1' && !isReplaced) {
        isReplaced = true;
        // A newer release claims the lane while the older one folds.
        const [stored] = (await engine.documents.get<object>(CHECKPOINTS.name, [LANE])).values();
        const body = { ...stored?.body, epoch: 2, owner: 'newer', position: 2 };
        await putDocument(engine.documents, CHECKPOINTS.name, LANE, body);
      }
      return found;
    },
  });
  await engine.publish(['a', 1, 'x'], ['b', 1, 'boom']);
  await engine.start({ documents });
  // It asks its group, has the partition, and goes on behind the newer one's checkpoint.
  await expect
    .poll(
      async () =>
        (await engine.documents.get<{ epoch: number }>(CHECKPOINTS.name, [LANE])).get(LANE)?.body.epoch,
    )
    .toBe(3);
  expect(await engine.log.ends('rejected')).toMatchObject([{ latest: 0 }]);
  expect(await engine.parked()).toEqual([]);
});

const LANE = 'notes@1/notes/0';
