import { changeDocument, removeDocument } from './documents/change.ts';
import type { CollectionSpec, Documents } from './documents/port.ts';

/** One small document for each process, written again every few seconds. A process that has died is told by its silence. */
export interface Heartbeat {
  /** When it was written, by the store's clock: Unix milliseconds. */
  readonly at: number;
}

/** Hearts beat every three seconds: a process that has missed several beats is not there. */
export const SILENT_MS = 15_000;

/** Whether its process is there, at a moment of the store's clock. A beat from the future is that of a clock that was put back. */
export function isAlive({ at }: Heartbeat, now: number): boolean {
  return Math.abs(now - at) < SILENT_MS;
}

/** The last beat of every process that has not said that it leaves, by its name. */
export async function readHeartbeats<Body extends Heartbeat>(
  documents: Pick<Documents, 'scan'>,
  { name }: CollectionSpec,
): Promise<ReadonlyMap<string, Body>> {
  const found = new Map<string, Body>();
  for await (const batch of documents.scan<Body>(name)) {
    for (const { id, body } of batch) found.set(id, body);
  }
  return found;
}

/** One process's heartbeat, written under its name. */
interface ProcessHeartbeat<Body> {
  beat(body: Body): Promise<void>;
  /** Forgets it: the process leaves. */
  leave(): Promise<void>;
}

export function openHeartbeat<Body extends Heartbeat>(
  documents: Pick<Documents, 'get' | 'write' | 'remove'>,
  { name: collection }: CollectionSpec,
  name: string,
): ProcessHeartbeat<Body> {
  return {
    // Whatever stands there is of this process, or of nobody any more.
    beat: async (body) => void (await changeDocument(documents, collection, name, () => body)),
    leave: () => removeDocument(documents, collection, name),
  };
}

/** How long the last beat of a process that died is kept, for people who look for it. */
const KEPT_MS = 3_600_000;

/** Removes the beats of processes that died long ago. */
export async function sweepHeartbeats(documents: Documents, { name }: CollectionSpec): Promise<void> {
  const now = await documents.now();
  for await (const batch of documents.scan<Heartbeat>(name)) {
    const dead = batch.filter(({ body }) => now - body.at > KEPT_MS);
    const removals = dead.map(({ id, version }) => ({ id, read: version }));
    if (removals.length > 0) await documents.remove(name, removals);
  }
}
