import { newVersion, type CollectionSpec, type Documents, type Version } from './documents/port.ts';

/**
 * Which workers there are, and how they fare: one small document for each worker, said again every few seconds for all its lanes
 * together. So what a worker knows (a lane that is paused, or has halted while the store was down) stands in the
 * documents as soon as they can be written, also where earlier words were lost; and a silent worker is known to be gone.
 */
export const WORKERS: CollectionSpec = { name: 'workers', indexes: [] };

export interface Worker {
  /** When it spoke last, by the store's clock: Unix milliseconds. */
  readonly at: number;
  /** Where it runs, for people: `host:pid`. */
  readonly where: string;
  /** As its `/readyz` says. */
  readonly ok: boolean;
  readonly detail: string;
  /** The lanes that are assigned to it, by name. */
  readonly lanes: Readonly<Record<string, WorkerLane>>;
}

export interface WorkerLane {
  readonly state: 'claiming' | 'running' | 'paused' | 'halted';
  /** Since when, by the store's clock: Unix milliseconds. */
  readonly since: number;
  /** Why it does not run, one line for people; null where it does. */
  readonly reason: string | null;
}

/** Workers speak every three seconds: one that has missed several turns is not there. */
export const SILENT_MS = 15_000;

/** Whether a worker is there, at a moment of the store's clock. A word from the future is that of a clock that was put back. */
export function isAlive({ at }: Worker, now: number): boolean {
  return Math.abs(now - at) < SILENT_MS;
}

/** Every worker that has not said that it leaves, by its name as checkpoints have it (`owner`). */
export async function readWorkers(documents: Pick<Documents, 'scan'>): Promise<ReadonlyMap<string, Worker>> {
  const found = new Map<string, Worker>();
  for await (const batch of documents.scan<Worker>(WORKERS.name)) {
    for (const { id, body } of batch) found.set(id, body);
  }
  return found;
}

/** One worker's word, written under its name. */
interface Voice {
  say(worker: Worker): Promise<void>;
  /** Forgets the word: the worker leaves. */
  leave(): Promise<void>;
}

export function openVoice(documents: Pick<Documents, 'get' | 'write' | 'remove'>, name: string): Voice {
  let version: Version | null = null;
  const refresh = async (): Promise<void> => {
    version = (await documents.get(WORKERS.name, [name])).get(name)?.version ?? null;
  };
  return {
    say: async (body) => {
      for (;;) {
        const write = { id: name, read: version, version: newVersion(), body };
        const [outcome] = await documents.write(WORKERS.name, [write]);
        if (outcome === 'done') {
          version = write.version;
          return;
        }
        // Somebody has swept it, or an answer was lost.
        await refresh();
      }
    },
    leave: async () => {
      await refresh();
      if (version !== null) await documents.remove(WORKERS.name, [{ id: name, read: version }]);
    },
  };
}

/** How long the word of a worker that died is kept, for people who look for it. */
const KEPT_MS = 3_600_000;

/** Removes the words of workers that died long ago. */
export async function sweepWorkers(documents: Documents): Promise<void> {
  const now = await documents.now();
  for await (const batch of documents.scan<Worker>(WORKERS.name)) {
    const dead = batch.filter(({ body }) => now - body.at > KEPT_MS);
    if (dead.length > 0)
      await documents.remove(
        WORKERS.name,
        dead.map(({ id, version }) => ({ id, read: version })),
      );
  }
}
