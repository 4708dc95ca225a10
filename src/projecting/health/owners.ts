import type { Documents } from '../../stores/documents/port.ts';
import { isAlive } from '../../stores/heartbeats.ts';
import { readWorkers, type Worker, type WorkerLane } from '../../stores/workers.ts';
import { laneName, type LaneId } from '../engine/lane.ts';
import type { LaneState } from '../engine/lane-states.ts';

/** What a worker tells operators of its lanes. `aheadMs`: how much the store's clock is ahead of its monotonic one. */
export function toldLanes(
  lanes: readonly LaneState[],
  aheadMs: number,
): Readonly<Record<string, WorkerLane>> {
  return Object.fromEntries(
    lanes.map(({ lane, state, since, reason }) => [
      laneName(lane),
      { state, since: Math.round(since + aheadMs), reason },
    ]),
  );
}

/** The workers of each lane, as the workers themselves say. */
export interface Owners {
  /** Workers that were heard of lately, by their names. */
  readonly alive: ReadonlyMap<string, Worker>;
  /** What a live worker says of a lane that was assigned to it; null where none speaks of it. */
  of(lane: LaneId): LiveOwner | null;
}

export interface LiveOwner extends WorkerLane {
  readonly where: string;
}

/** `now` is the time of the documents store. */
export async function readOwners(documents: Pick<Documents, 'scan'>, now: number): Promise<Owners> {
  const alive = new Map([...(await readWorkers(documents))].filter(([, worker]) => isAlive(worker, now)));
  return { alive, of: (lane) => ownerOf(alive, laneName(lane)) };
}

/** For a moment two may speak of one lane: the one that runs it has it. */
function ownerOf(workers: ReadonlyMap<string, Worker>, name: string): LiveOwner | null {
  let found: LiveOwner | null = null;
  for (const { where, lanes } of workers.values()) {
    const lane = lanes[name];
    if (lane && (found === null || lane.state === 'running')) found = { ...lane, where };
  }
  return found;
}

/** Where a live worker runs that has lanes of the build; null where none has. */
export function projectorOf({ alive }: Owners, build: string): string | null {
  const found = [...alive.values()].find(({ lanes }) =>
    Object.keys(lanes).some((lane) => lane.startsWith(`${build}/`)),
  );
  return found?.where ?? null;
}
