import type { Clock } from '../platform/clock.ts';
import { Gauge, type Registry } from '../platform/metrics.ts';
import { laneName } from './lane.ts';
import { countParked } from './parked-events.ts';
import { lagAge, type LaneProgress, type ProgressParts } from './progress.ts';

/** What each look of a projector at its lanes shows to Prometheus. Labels are bounded: lanes, topics, fixed codes. */
export interface LaneMetrics {
  /** Shows lanes of this projector, and what is parked in all. */
  show(own: readonly LaneProgress[], signal: AbortSignal): Promise<void>;
}

export function createLaneMetrics({
  log,
  documents,
  clock,
  registry,
}: Pick<ProgressParts, 'log' | 'documents'> & {
  readonly clock: Clock;
  readonly registry: Registry;
}): LaneMetrics {
  const registers = [registry];
  const lag = new Gauge({
    name: 'catalog_lane_lag',
    help: 'Positions between a lane’s checkpoint and the end of its log.',
    labelNames: ['lane'] as const,
    registers,
  });
  const age = new Gauge({
    name: 'catalog_lane_lag_seconds',
    help: 'How long the oldest record that a lane has not consumed has been in the log; 0 without any.',
    labelNames: ['lane'] as const,
    registers,
  });
  const parked = new Gauge({
    name: 'catalog_parked_events',
    help: 'Parked events that wait for a decision, of all projectors, by the read model, the topic and the reason.',
    labelNames: ['read_model', 'topic', 'code'] as const,
    registers,
  });
  return {
    show: async (own, signal) => {
      const ages: number[] = [];
      for (const lane of own) ages.push((await lagAge(log, lane, clock, signal)) ?? 0);
      const groups = await countParked(documents);
      // A lane that another worker has taken over is no longer in the list, nor is what has been settled.
      for (const gauge of [lag, age, parked]) gauge.reset();
      for (const [index, lane] of own.entries()) {
        lag.set({ lane: laneName(lane) }, lane.lag);
        age.set({ lane: laneName(lane) }, (ages[index] ?? 0) / 1000);
      }
      for (const { readModel, topic, code, count } of groups)
        parked.set({ read_model: readModel, topic, code }, count);
    },
  };
}
