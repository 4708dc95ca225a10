import { statSync } from 'node:fs';

import type { Clock } from '../time/clock.ts';
import { RetryableError } from '../errors.ts';

/** What tells a file from another one of the same path; null where none can be reached there. */
export function fileIdentity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}/${ino}`;
  } catch {
    return null;
  }
}

/** Looking costs a few microseconds, and a request makes several calls. */
const LOOK_MS = 1000;

/**
 * Refuses calls of a file that has just been opened once its path leads elsewhere, a second later at most: what is written to a
 * file that was deleted, or put aside for another one, is found by nobody after a restart. Not by what stood there before it was
 * opened: an overlay of a container may copy it then.
 */
export function refusesReplaced(path: string, clock: Pick<Clock, 'monotonic'>): () => void {
  const opened = fileIdentity(path);
  const look = (): boolean => opened !== null && fileIdentity(path) === opened;
  let isSame = opened !== null;
  let lookedAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    if (now - lookedAt >= LOOK_MS) [isSame, lookedAt] = [look(), now];
    if (isSame) return;
    throw new RetryableError(
      `${path} was deleted, replaced or put out of reach while this process had it open. Put it back, or restart the process.`,
    );
  };
}
