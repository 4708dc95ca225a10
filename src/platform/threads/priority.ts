import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** How far a thread steps back behind the one that started it: about a third of its weight. */
const STEP = 5;
/** How far a process does that nobody waits for: behind every thread of a service. */
const LOWEST_NICENESS = 15;

/**
 * Lets the calling thread step back behind the one that started it, so that its long computations do not delay what that
 * one does where cores are few: searches behind answers, projecting behind both (two steps), what it starts itself behind
 * projecting. Only Linux knows priorities of threads: there `setpriority` takes a thread's id, and a new thread begins
 * with the priority of the one that starts it (setpriority(2)). Elsewhere, and where it is not permitted, nothing changes.
 */
export function lowerThreadPriority(steps = 1): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + steps * STEP, LOWEST_NICENESS));
  } catch {
    // A courtesy to others, not a promise: some containers have no /proc, or forbid it.
  }
}

/** Lets this process step back behind services of the same machine. */
export function lowerProcessPriority(): void {
  try {
    setPriority(LOWEST_NICENESS);
  } catch {
    // The same courtesy.
  }
}
