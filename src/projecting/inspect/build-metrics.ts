import { Gauge, type Registry } from '../../platform/metrics.ts';
import { BUILDS, type Build } from '../../stores/builds.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { LaneProgress } from './progress.ts';

/** What Prometheus sees of the builds that a projector makes, or keeps up to date. The label is the build's name. */
interface BuildMetrics {
  /** Takes all lanes of these builds, of all projectors. */
  show(lanes: readonly LaneProgress[], isLive: (build: string) => boolean): Promise<void>;
}

interface BuildMetricsParts {
  readonly documents: Pick<Documents, 'get'>;
  readonly registry: Registry;
}

export function createBuildMetrics({ documents, registry }: BuildMetricsParts): BuildMetrics {
  const gauge = (name: string, help: string): Gauge<'build'> =>
    new Gauge({ name, help, labelNames: ['build'] as const, registers: [registry] });
  const live = gauge('catalog_build_live', '1 for the build that readers see; 0 for one beside it.');
  const ready = gauge('catalog_build_ready', '1 where a build has been complete once; 0 while it is made.');
  const progress = gauge(
    'catalog_build_progress',
    'The share of the log that a build has consumed, of all its lanes: from 0 to 1.',
  );
  return {
    async show(lanes, isLive) {
      const builds = Map.groupBy(lanes, ({ readModel }) => readModel);
      const known = await documents.get<Build>(BUILDS.name, [...builds.keys()]);
      for (const shown of [live, ready, progress]) shown.reset();
      for (const [build, own] of builds) {
        live.set({ build }, isLive(build) ? 1 : 0);
        ready.set({ build }, known.get(build)?.body.completed_at ? 1 : 0);
        progress.set({ build }, shareOf(own));
      }
    },
  };
}

/** Of the log, that these lanes have consumed: from 0 to 1. Of an empty log 1: there is nothing left to do. */
export function shareOf(lanes: readonly Pick<LaneProgress, 'earliest' | 'latest' | 'lag'>[]): number {
  const total = lanes.reduce((sum, { earliest, latest }) => sum + latest - earliest, 0);
  const left = lanes.reduce((sum, { lag }) => sum + lag, 0);
  return total === 0 ? 1 : Math.max(0, total - left) / total;
}
