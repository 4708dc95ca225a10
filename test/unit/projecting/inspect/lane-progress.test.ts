import { expect, test } from 'vitest';

import { CHECKPOINTS, type Checkpoint } from '../../../../src/projecting/engine/lane.ts';
import { waitFor } from '../../../../src/projecting/inspect/lane-progress.ts';
import { changeDocument } from '../../../../src/stores/documents/change-document.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const engine = forEachTest(() => openEngine(1));

test('the checkpoint of a lane that has halted says nothing of records that came later', async () => {
  const places = await engine.consume(['a', 1, 'one']);
  const wait = () =>
    waitFor(engine.parts, places, { clock: engine.parts.clock, signal: AbortSignal.timeout(5) });
  expect(await wait()).toBe('reached');
  await changeDocument<Checkpoint>(engine.documents, CHECKPOINTS.name, 'notes@1/notes/0', (stored) =>
    stored ? { ...stored.body, halted: { reason: 'log_younger', latest: 0, position: 1 } } : null,
  );
  expect(await wait()).toBe('halted');
});
