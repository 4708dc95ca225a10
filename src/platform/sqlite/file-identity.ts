import { statSync } from 'node:fs';

import type { Clock } from '../time/clock.ts';
import { RetryableError } from '../errors.ts';

/** What tells a file from another one of the same path; null where there is none. */
export function fileIdentity(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}/${found.ino}` : null;
}

/** Looking costs a few microseconds, and a request makes several calls. */
const LOOK_MS = 1000;

/**
 * Refuses calls of a file that was opened once its path leads elsewhere, a second later at most: what is written to a file
 * that was deleted, or put aside for another one, is found by nobody after a restart.
 */
export function refusesReplaced(path: string, clock: Pick<Clock, 'monotonic'>): () => void {
  const opened = fileIdentity(path);
  let isSame = true;
  let lookedAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    if (now - lookedAt >= LOOK_MS) [isSame, lookedAt] = [fileIdentity(path) === opened, now];
    if (isSame) return;
    throw new RetryableError(
      `${path} was deleted or replaced while this process had it open. Put it back, or restart the process.`,
    );
  };
}
