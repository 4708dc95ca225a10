import { Gauge, type Registry } from '../../platform/metrics.ts';
import type { SeenLane } from './judgement.ts';
import { laneName } from '../engine/lane.ts';
import type { Owners } from './heartbeat.ts';
import { countParked } from '../engine/parked-events.ts';
import { lagAge, type LaneProgress, type ProgressParts } from './progress.ts';

/** What each look of a projector at its lanes shows to Prometheus. Labels are bounded: lanes, topics, fixed codes. */
export interface LaneMetrics {
  /** Shows the lanes of this projector, and of all together what is parked, and what nobody works at. */
  show(
    own: readonly SeenLane[],
    all: readonly LaneProgress[],
    owners: Owners,
    signal: AbortSignal,
  ): Promise<void>;
  /** Shows what `/readyz` says. */
  ready(isReady: boolean): void;
}

export function createLaneMetrics({
  log,
  documents,
  registry,
}: Pick<ProgressParts, 'log' | 'documents'> & { readonly registry: Registry }): LaneMetrics {
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
  const state = new Gauge({
    name: 'catalog_lane_state',
    help: '1 for the state that a lane assigned to this projector is in: claiming, running, paused or halted.',
    labelNames: ['lane', 'state'] as const,
    registers,
  });
  const ready = new Gauge({
    name: 'catalog_projector_ready',
    help: '1 where this projector is ready, as /readyz says; else 0.',
    registers,
  });
  const workers = new Gauge({
    name: 'catalog_projectors_alive',
    help: 'Projectors that were heard of within the last 15 s, whoever says so.',
    registers,
  });
  const ownerless = new Gauge({
    name: 'catalog_lanes_without_owner',
    help: 'Lanes with something to read that no live projector works at, of all projectors.',
    registers,
  });
  const parked = new Gauge({
    name: 'catalog_parked_events',
    help: 'Parked events that wait for a decision, of all projectors, by the read model, the topic and the reason.',
    labelNames: ['read_model', 'topic', 'code'] as const,
    registers,
  });
  return {
    ready: (isReady) => ready.set(isReady ? 1 : 0),
    show: async (own, all, owners, signal) => {
      const now = await documents.now();
      const ages: number[] = [];
      for (const { progress } of own)
        ages.push(progress ? ((await lagAge(log, progress, now, signal)) ?? 0) : 0);
      const groups = await countParked(documents);
      // A lane that another worker has taken over is no longer in the list, nor is what has been settled.
      for (const gauge of [lag, age, state, parked]) gauge.reset();
      for (const [index, { lane, progress, state: found }] of own.entries()) {
        lag.set({ lane: laneName(lane) }, progress?.lag ?? 0);
        age.set({ lane: laneName(lane) }, (ages[index] ?? 0) / 1000);
        state.set({ lane: laneName(lane), state: found }, 1);
      }
      workers.set(owners.alive.size);
      const mine = new Set(own.map(({ lane }) => laneName(lane)));
      ownerless.set(
        all.filter((lane) => lane.lag > 0 && !mine.has(laneName(lane)) && !owners.of(lane)).length,
      );
      for (const { readModel, topic, code, count } of groups)
        parked.set({ read_model: readModel, topic, code }, count);
    },
  };
}
