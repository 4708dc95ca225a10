import type { Documents } from '../../stores/documents/port.ts';
import { isAlive, readWorkers, type Worker, type WorkerLane } from '../../stores/workers.ts';
import { laneName, type LaneId } from '../engine/lane.ts';

/** Who works at each lane, by the words of the workers themselves. */
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
