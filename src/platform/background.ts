import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** How far a background thread steps back: about a tenth of the weight of those that answer requests. */
const NICENESS = 10;
/** How far a process does that nobody waits for: about a third of the weight of background threads that readers wait for. */
const LOWEST_NICENESS = 15;

/**
 * Lets the calling thread step back behind the others, so that its long computations do not delay answers where cores
 * are few. Only Linux knows priorities of threads: there `setpriority` takes a thread's id (setpriority(2)). Elsewhere,
 * and where it is not permitted, nothing changes.
 */
export function runInBackground(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
  } catch {
    // A courtesy to others, not a promise: some containers have no /proc, or forbid it.
  }
}

/** Lets this process step back behind services of the same machine, and behind their background threads. */
export function runBehindServices(): void {
  try {
    setPriority(LOWEST_NICENESS);
  } catch {
    // The same courtesy.
  }
}
