import { setTimeout as pause } from 'node:timers/promises';

import type { Parts } from '../../src/compose/parts.ts';
import { createMetrics } from '../../src/platform/metrics-registry.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { createProjectorMetrics } from '../../src/projecting/engine/projector-metrics.ts';
import { createProjector, type ProjectorParts } from '../../src/projecting/engine/projector.ts';
import { readProgress } from '../../src/projecting/inspect/lane-progress.ts';
import { OPEN_GATE } from '../../test/support/open-gate.ts';

/** Folds until all records are consumed, and says how many. */
export async function foldAll(
  parts: Parts,
  projection: Projection,
  how: Partial<ProjectorParts>,
): Promise<number> {
  const { log, documents, clock, logger, decode, topicName } = parts;
  const projections = [projection];
  await using projector = createProjector({
    log,
    documents,
    clock,
    logger,
    decode,
    topicName,
    projections,
    metrics: createProjectorMetrics(createMetrics()),
    rejectedTopic: 'catalog.rejected',
    gate: OPEN_GATE,
    ...how,
  });
  await projector.start();
  for (;;) {
    const lanes = await readProgress({ log, documents, topicName, projections });
    if (lanes.every(({ lag }) => lag === 0))
      return lanes.reduce((sum, { position }) => sum + (position ?? 0), 0);
    await pause(100);
  }
}
