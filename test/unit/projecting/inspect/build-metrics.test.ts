import { Registry } from 'prom-client';
import { expect, test } from 'vitest';

import { createBuildMetrics } from '../../../../src/projecting/inspect/build-metrics.ts';
import type { LaneProgress } from '../../../../src/projecting/inspect/progress.ts';
import { beginBuild, BUILDS, completeBuild } from '../../../../src/stores/builds.ts';
import { LIVE, OTHER, openBuildsStage } from '../../../support/builds-stage.ts';

function lane(readModel: string, position: number): LaneProgress {
  const place = { readModel, topic: 'notes', partition: 0 };
  const ends = { earliest: 10, latest: 110, readable: 110 };
  return { ...place, ...ends, position, lag: 110 - position, halted: null, checkpoint: null };
}

test('how far builds are, and which one readers see', async () => {
  const { documents } = await openBuildsStage();
  for (const name of [LIVE, OTHER, BUILDS.name]) await documents.declare({ name, indexes: [] });
  await beginBuild(documents, LIVE, {});
  await completeBuild(documents, LIVE);
  const registry = new Registry();
  const metrics = createBuildMetrics({ documents, registry });
  const isLive = (build: string): boolean => build === LIVE;
  const shown = async (): Promise<Readonly<Record<string, number>>> => {
    const all = await registry.getMetricsAsJSON();
    return Object.fromEntries(
      all.flatMap(({ name, values }) =>
        values.map(({ labels, value }) => [
          `${name.replace('catalog_build_', '')} ${(labels as { readonly build: string }).build}`,
          value,
        ]),
      ),
    );
  };

  await metrics.show([lane(LIVE, 110), lane(OTHER, 60)], isLive);
  expect(await shown()).toEqual({
    [`live ${LIVE}`]: 1,
    [`live ${OTHER}`]: 0,
    [`ready ${LIVE}`]: 1,
    [`ready ${OTHER}`]: 0,
    [`progress ${LIVE}`]: 1,
    [`progress ${OTHER}`]: 0.5,
  });

  // A build that was dropped is shown no more.
  await metrics.show([lane(LIVE, 110)], isLive);
  expect(Object.keys(await shown()).filter((name) => name.endsWith(OTHER))).toEqual([]);
});
