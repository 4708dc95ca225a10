import type { Clock } from '../../platform/clock.ts';
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
  readonly documents: Pick<Documents, 'get' | 'count'>;
  readonly registry: Registry;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** How many events a build had taken in, and when that was seen, by the monotonic clock. */
interface Seen {
  readonly events: number;
  readonly at: number;
}

export function createBuildMetrics({ documents, registry, clock }: BuildMetricsParts): BuildMetrics {
  const gauge = (name: string, help: string): Gauge<'build'> =>
    new Gauge({ name, help, labelNames: ['build'] as const, registers: [registry] });
  const live = gauge('catalog_build_live', '1 for the build that readers see; 0 for one beside it.');
  const ready = gauge('catalog_build_ready', '1 where a build has been complete once; 0 while it is made.');
  const progress = gauge(
    'catalog_build_progress',
    'The share of the log that a build has consumed, of all its lanes: from 0 to 1.',
  );
  const rate = gauge(
    'catalog_build_events_per_second',
    'Events that a build has taken in since the look before, by all projectors.',
  );
  const ratio = gauge(
    'catalog_build_events_per_document',
    'Events that came to one document on an average, while a build is made: so much is saved by writing each once.',
  );
  const before = new Map<string, Seen>();

  return {
    async show(lanes, isLive) {
      const builds = Map.groupBy(lanes, ({ readModel }) => readModel);
      const known = await documents.get<Build>(BUILDS.name, [...builds.keys()]);
      const counted = new Map<string, number>();
      for (const build of builds.keys())
        if (!known.get(build)?.body.completed_at) counted.set(build, await documentsIn(documents, build));
      for (const shown of [live, ready, progress, rate, ratio]) shown.reset();
      for (const [build, own] of builds) {
        const seen: Seen = { events: eventsIn(own), at: clock.monotonic() };
        const count = counted.get(build);
        live.set({ build }, isLive(build) ? 1 : 0);
        ready.set({ build }, known.get(build)?.body.completed_at ? 1 : 0);
        progress.set({ build }, shareOf(own));
        rate.set({ build }, rateOf(before.get(build), seen));
        if (count !== undefined) ratio.set({ build }, count === 0 ? 0 : seen.events / count);
        before.set(build, seen);
      }
      for (const build of before.keys()) if (!builds.has(build)) before.delete(build);
    },
  };
}

async function documentsIn(documents: Pick<Documents, 'count'>, build: string): Promise<number> {
  const [all] = await documents.count(build, { where: {}, by: [] });
  return all?.count ?? 0;
}

function eventsIn(lanes: readonly LaneProgress[]): number {
  return lanes.reduce((sum, { checkpoint }) => {
    const { applied = 0, superseded = 0 } = checkpoint?.counts ?? {};
    return sum + applied + superseded;
  }, 0);
}

/** 1 of an empty log: there is nothing left to do. */
function shareOf(lanes: readonly LaneProgress[]): number {
  const total = lanes.reduce((sum, { earliest, latest }) => sum + latest - earliest, 0);
  const left = lanes.reduce((sum, { lag }) => sum + lag, 0);
  return total === 0 ? 1 : Math.max(0, total - left) / total;
}

/** 0 at the first look, and where a lane began again. */
function rateOf(before: Seen | undefined, { events, at }: Seen): number {
  if (!before || at <= before.at) return 0;
  return Math.max(0, events - before.events) / ((at - before.at) / 1000);
}
