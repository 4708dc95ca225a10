import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/time/clock.ts';
import { changeDocument, removeDocument } from './documents/change-document.ts';
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
  const stored = await Array.fromAsync(documents.scan<Body>(name));
  return new Map(stored.flat().map(({ id, body }) => [id, body]));
}

interface HeartbeatParts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One process's heart, of a `name` that no other process ever has. Disposing it takes its last beat away: the process leaves. */
export function createHeart<Body extends Heartbeat>(
  { documents, clock, logger }: HeartbeatParts,
  collection: CollectionSpec,
  name: string,
) {
  let isPrepared = false;
  let isOver = false;
  let trouble: { readonly since: number; readonly reason: string } | null = null;
  let beating: Promise<void> | null = null;
  type BodyAt = (at: number) => Omit<Body, 'at'>;

  const beat = async (body: BodyAt): Promise<void> => {
    if (!isPrepared) {
      await documents.declare(collection);
      await sweepHeartbeats(documents, collection);
      isPrepared = true;
    }
    const at = await documents.now();
    // Whatever stands there is of this process, or of nobody any more.
    await changeDocument(documents, collection.name, name, () => ({ at, ...body(at) }));
  };

  const attempt = async (body: BodyAt): Promise<void> => {
    const began = clock.monotonic();
    try {
      await beat(body);
      trouble = null;
    } catch (thrown) {
      const reason = messageOf(thrown);
      if (!trouble)
        logger.warn({ reason, collection: collection.name }, 'this process cannot say that it is there');
      trouble = { since: trouble?.since ?? began, reason };
    }
  };

  return {
    /** @throws what the store throws. */
    beat,
    /** Never throws: the first of several failures is logged, and made good by the next beat. One beat at a time. */
    tryBeat: async (body: BodyAt): Promise<void> => {
      if (isOver) return;
      await (beating ??= attempt(body).finally(() => (beating = null)));
    },
    /** Since when, by the monotonic clock, every beat has failed, and why the last one did; null where it was written. */
    trouble: () => trouble,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      isOver = true;
      await beating;
      try {
        if (isPrepared) await removeDocument(documents, collection.name, name);
      } catch (thrown) {
        logger.warn({ reason: messageOf(thrown) }, 'this process could not say that it leaves');
      }
    },
  };
}

/** How long the last beat of a process that died is kept, for people who look for it. */
const KEPT_MS = 3_600_000;

/** Removes the beats of processes that died long ago. */
async function sweepHeartbeats(documents: Documents, { name }: CollectionSpec): Promise<void> {
  const now = await documents.now();
  for await (const batch of documents.scan<Heartbeat>(name)) {
    const dead = batch.filter(({ body }) => now - body.at > KEPT_MS);
    const removals = dead.map(({ id, version }) => ({ id, read: version }));
    if (removals.length > 0) await documents.remove(name, removals);
  }
}
