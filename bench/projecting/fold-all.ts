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
  /** How fast the second half was, to the first. */
  readonly halves: number;
}

/** Folds until so many records are consumed, or all of them. */
export async function foldAll(
  parts: Parts,
  projection: Projection,
  how: Partial<ProjectorParts>,
  records = Infinity,
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
  const ends = await readProgress({ log, documents, topicName, projections: [projection] });
  const all = Math.min(
    records,
    ends.reduce((sum, { lag }) => sum + lag, 0),
  );
  /** When half of it was there, and how much that was: whole passes are written. */
  let half: { readonly at: number; readonly consumed: number } | null = null;
  for (;;) {
    const lanes = await readProgress({ log, documents, topicName, projections: [projection] });
    const consumed = lanes.reduce((sum, { position }) => sum + (position ?? 0), 0);
    if (consumed >= all / 2) half ??= { at: clock.monotonic(), consumed };
    if (consumed >= records || lanes.every(({ lag }) => lag === 0)) {
      const { user, system } = process.cpuUsage(cpuBefore);
      const ended = clock.monotonic();
      const first = half ?? { at: ended, consumed };
      const halves = (consumed - first.consumed) / (ended - first.at) / (first.consumed / (first.at - began));
      return {
        records: consumed,
        seconds: (ended - began) / 1000,
        cpuMs: (user + system) / 1000,
        halves,
      };
    }
    await pause(100);
  }
}
