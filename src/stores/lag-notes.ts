import { changeDocument, readDocument } from './documents/change-document.ts';
import type { CollectionSpec, Documents } from './documents/port.ts';

/**
 * How far each read model is behind the log: one small document for each, said again every few seconds by its
 * projectors, for the processes that serve it and cannot see the log. The last word of a projector that stopped grows
 * older, and counts as that much delay.
 */

export const LAGS: CollectionSpec = { name: 'lags', indexes: [] };

interface Lag {
  /** When it was looked at, by the store's clock: Unix milliseconds. */
  readonly at: number;
  /** The age of the oldest record that some lane had not consumed then; 0 where there was none. */
  readonly lag_ms: number;
}

/** What was last said of a read model, named as its collection is (`monitor@2`); null where nobody ever spoke. */
export async function readLag(documents: Pick<Documents, 'get'>, readModel: string): Promise<Lag | null> {
  return (await readDocument<Lag>(documents, LAGS.name, readModel))?.body ?? null;
}

/**
 * How far behind the read model may be at a moment of the store's clock, in milliseconds. A word from the future was said
 * before that clock was put back: by as much at least it is old, until its projector speaks again.
 */
export function lagAt({ at, lag_ms }: Lag, now: number): number {
  return lag_ms + Math.abs(now - at);
}

interface LagNote {
  /** When the lanes were looked at, by the store's clock. */
  readonly at: number;
  /** Nothing is written while the stored word is younger than this. */
  readonly notWithinMs: number;
  /** Finds `lag_ms`; asked only where it will be written. */
  readonly measure: () => Promise<number>;
}

/** Speaks for a read model: of several that speak at once, one is enough. */
export async function noteLag(
  documents: Pick<Documents, 'get' | 'write'>,
  readModel: string,
  { at, notWithinMs, measure }: LagNote,
): Promise<void> {
  await changeDocument<Lag>(documents, LAGS.name, readModel, async (stored) => {
    // A word from the future is that of a store whose clock was put back since.
    const isRecent = stored && stored.body.at <= at && at - stored.body.at < notWithinMs;
    return isRecent ? null : { at, lag_ms: await measure() };
  });
}
