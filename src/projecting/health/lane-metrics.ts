import { Gauge, type Registry } from '../../platform/metrics-registry.ts';
import type { SeenLane } from './judge-lanes.ts';
import { laneName } from '../engine/lane.ts';
import type { Owners } from './lane-owners.ts';
import { countParked } from '../engine/parked-queries.ts';
import { lagAge, type LaneProgress, type ProgressParts } from '../inspect/lane-progress.ts';

/** What a look has found. */
interface LaneLook {
  readonly own: readonly SeenLane[];
  readonly all: readonly LaneProgress[];
  readonly owners: Owners;
  /** When it was, by the time of the documents store. */
  readonly now: number;
}

/** What each look of a projector at its lanes shows to Prometheus. Labels are bounded: lanes, topics, fixed codes. */
export function createLaneMetrics({
  log,
  documents,
  registry,
}: Pick<ProgressParts, 'log' | 'documents'> & { readonly registry: Registry }) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const lag = gauge(
    'catalog_lane_lag',
    'Positions between a lane’s checkpoint and the end of its log.',
    'lane',
  );
  const age = gauge(
    'catalog_lane_lag_seconds',
    'How long the oldest record that a lane has not consumed has been in the log; 0 without any.',
    'lane',
  );
  const state = gauge(
    'catalog_lane_state',
    '1 for the state that a lane assigned to this projector is in: claiming, running, paused, halted or stalled.',
    'lane',
    'state',
  );
  const ready = gauge('catalog_projector_ready', '1 where this projector is ready, as /readyz says; else 0.');
  const workers = gauge(
    'catalog_projectors_alive',
    'Projectors that were heard of within the last 15 s, whoever says so.',
  );
  const ownerless = gauge(
    'catalog_lanes_without_owner',
    'Lanes with something to read that no live projector works at, of all projectors.',
  );
  const parked = gauge(
    'catalog_parked_events',
    'Parked events that wait for a decision, of all projectors, by the read model, the topic and the reason.',
    'read_model',
    'topic',
    'code',
  );
  return {
    /** Shows what `/readyz` says. */
    ready: (isReady: boolean): void => ready.set(isReady ? 1 : 0),
    /** Shows the lanes of this projector, and of all together what is parked, and what nobody works at. */
    show: async ({ own, all, owners, now }: LaneLook, signal: AbortSignal): Promise<void> => {
      const ages: number[] = [];
      for (const { progress } of own)
        ages.push(progress ? ((await lagAge(log, progress, now, signal)) ?? 0) : 0);
      const groups = await countParked(documents);
      // A lane that another worker has taken over is no longer in the list, nor is a parked event that was decided about.
      for (const shown of [lag, age, state, parked]) shown.reset();
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
