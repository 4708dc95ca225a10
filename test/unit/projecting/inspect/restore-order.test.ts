import { beforeEach, expect, test } from 'vitest';

import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import { PARKED } from '../../../../src/projecting/engine/parking.ts';
import { collectionSpec } from '../../../../src/projecting/engine/projection.ts';
import { traceSubject } from '../../../../src/projecting/inspect/trace.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import type { CollectionSpec, Documents } from '../../../../src/stores/documents/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { openDocuments } from '../../../support/documents.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { lagOf } from '../../../support/lag-of.ts';

/** A backup that copies one collection after the other while events come, restored, and projected on. */

const engine = forEachTest(() => openEngine(1));
let copy: Documents;
beforeEach(async () => {
  copy = openDocuments();
  for (const spec of [...SPECS, PARKED]) await copy.declare(spec);
});

const DOCUMENTS = collectionSpec(NOTES);
const SPECS = [CHECKPOINTS, DOCUMENTS];

/** The collections as they are copied in this order, with an event between the two. */
async function restored(order: readonly CollectionSpec[]) {
  const original = await engine.start();
  await engine.publish(['a', 1, 'before']);
  await engine.settled();
  for (const [index, { name }] of order.entries()) {
    if (index > 0) {
      await engine.publish(['b', 1, 'meanwhile']);
      await engine.settled();
    }
    for await (const batch of engine.documents.scan<object>(name))
      await copy.write(
        name,
        batch.map(({ id, version, body }) => ({ id, read: null, version, body })),
      );
  }
  await original[Symbol.asyncDispose]();
  const { log, parts } = engine;
  const given = { ...parts, documents: copy };
  await engine.start({ documents: copy });
  await expect.poll(() => lagOf({ ...given, log })).toBe(0);
  const { signal } = new AbortController();
  const { ok, findings } = await verifyProjection(NOTES, { ...given, signal });
  const { events } = await traceSubject('b', { ...given, signal, limit: 1 });
  return { ok, lost: findings.map(({ where }) => where), outcome: events[0]?.outcome };
}

test('checkpoints that are older than their documents lose nothing: what comes after them is folded again', async () => {
  expect(await restored([CHECKPOINTS, DOCUMENTS])).toEqual({ ok: true, lost: [], outcome: 'in_force' });
});

test('checkpoints that are newer lose what came between, behind nothing: verify and trace name it', async () => {
  expect(await restored([DOCUMENTS, CHECKPOINTS])).toEqual({ ok: false, lost: ['b'], outcome: 'missing' });
});
