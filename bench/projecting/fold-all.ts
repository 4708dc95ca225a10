import { setTimeout as pause } from 'node:timers/promises';

import type { Parts } from '../../src/compose/parts.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { OPEN_GATE } from '../../src/projecting/engine/build-gate.ts';
import { createProjectorMetrics } from '../../src/projecting/engine/projector-metrics.ts';
import { Projector, type ProjectorParts } from '../../src/projecting/engine/projector.ts';
import { readProgress } from '../../src/projecting/inspect/progress.ts';

/** A build that nobody sees yet. */
export const HIDDEN: NonNullable<ProjectorParts['gate']> = { ...OPEN_GATE, isLive: () => false };

export interface Folded {
  readonly records: number;
  readonly seconds: number;
  readonly cpuMs: number;
}

/** Folds until all records are consumed. */
export async function foldAll(
  parts: Parts,
  projection: Projection,
  how: Partial<ProjectorParts>,
): Promise<Folded> {
  const { log, documents, clock, logger, decode, topicName } = parts;
  const [began, cpuBefore] = [clock.monotonic(), process.cpuUsage()];
  await using projector = new Projector({
    log,
    documents,
    clock,
    logger,
    decode,
    topicName,
    projections: [projection],
    metrics: createProjectorMetrics(createMetrics()),
    rejectedTopic: 'catalog.rejected',
    ...how,
  });
  await projector.start();
  for (;;) {
    const lanes = await readProgress({ log, documents, topicName, projections: [projection] });
    if (lanes.every(({ lag }) => lag === 0)) {
      const { user, system } = process.cpuUsage(cpuBefore);
      return {
        records: lanes.reduce((sum, { position }) => sum + (position ?? 0), 0),
        seconds: (clock.monotonic() - began) / 1000,
        cpuMs: (user + system) / 1000,
      };
    }
    await pause(100);
  }
}
