import type { CollectionSpec, Documents } from './documents/port.ts';
import { readHeartbeats, type Heartbeat } from './heartbeats.ts';

/**
 * Which workers there are, and how they fare: one small document for each worker, said again every few seconds for all its lanes
 * together. So what a worker knows (a lane that is paused, or has halted while the store was down) stands in the
 * documents as soon as they can be written, also where earlier words were lost; and a silent worker is known to be gone.
 */
export const WORKERS: CollectionSpec = { name: 'workers', indexes: [] };

export interface Worker extends Heartbeat {
  /** Where it runs, for people: `host:pid`. */
  readonly where: string;
  /** As its `/readyz` says. */
  readonly ok: boolean;
  readonly detail: string;
  /** The lanes that are assigned to it, by name. */
  readonly lanes: Readonly<Record<string, WorkerLane>>;
}

export interface WorkerLane {
  /** `stalled`: it runs, and has not moved for long though there is something to read. */
  readonly state: 'claiming' | 'running' | 'paused' | 'halted' | 'stalled';
  /** Since when it is so, or does not move, by the store's clock: Unix milliseconds. */
  readonly since: number;
  /** Why it does not run, one line for people; null where it does. */
  readonly reason: string | null;
}

/** Every worker that has not said that it leaves, by its name as checkpoints have it (`owner`). */
export function readWorkers(documents: Pick<Documents, 'scan'>): Promise<ReadonlyMap<string, Worker>> {
  return readHeartbeats(documents, WORKERS);
}
