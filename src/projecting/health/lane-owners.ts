import type { Documents } from '../../stores/documents/port.ts';
import { isAlive } from '../../stores/heartbeats.ts';
import { readWorkers, type Worker, type WorkerLane } from '../../stores/workers.ts';
import { laneName, type LaneId } from '../engine/lane.ts';
import type { LaneState } from '../engine/lane-states.ts';
import type { StallState } from './stall.ts';

/** What a worker tells operators of its lanes. `now` and `monotonic`: the store's clock and its own, at one moment. */
export function workerLanes(
  lanes: readonly LaneState[],
  standing: ReadonlyMap<string, StallState>,
  { now, monotonic }: { readonly now: number; readonly monotonic: number },
): Readonly<Record<string, WorkerLane>> {
  return Object.fromEntries(
    lanes.map(({ lane, state: own, since: entered, reason }) => {
      const name = laneName(lane);
      const { ms, isStalled } = standing.get(name) ?? { ms: 0, isStalled: false };
      const state = own === 'running' && isStalled ? 'stalled' : own;
      const stoodSince = monotonic - ms;
      // One that fails and begins again without having moved has stood still since it moved last.
      const fails = state !== 'running' && state !== 'halted';
      const stands = state === 'stalled' ? stoodSince : fails ? Math.min(entered, stoodSince) : entered;
      return [name, { state, since: Math.round(now - monotonic + stands), reason }];
    }),
  );
}

export type Owners = Awaited<ReturnType<typeof readOwners>>;

export interface LiveOwner extends WorkerLane {
  readonly where: string;
}

/** The workers of each lane, as the workers themselves say. `now` is the time of the documents store. */
export async function readOwners(documents: Pick<Documents, 'scan'>, now: number) {
  /** Workers that were heard of lately, by their names. */
  const alive: ReadonlyMap<string, Worker> = new Map(
    [...(await readWorkers(documents))].filter(([, worker]) => isAlive(worker, now)),
  );
  /** What a live worker says of a lane that was assigned to it; null where none speaks of it. */
  const of = (lane: LaneId): LiveOwner | null => {
    let found: LiveOwner | null = null;
    // For a moment two may speak of one lane: the one that runs it has it.
    for (const { where, lanes } of alive.values()) {
      const own = lanes[laneName(lane)];
      if (own && (found === null || own.state === 'running')) found = { ...own, where };
    }
    return found;
  };
  return { alive, of };
}

export function hasLanesOf(build: string, { lanes }: Pick<Worker, 'lanes'>): boolean {
  return Object.keys(lanes).some((lane) => lane.startsWith(`${build}/`));
}
