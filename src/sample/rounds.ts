/** Rounds of the monitor: whole minutes of Unix time. */

export const ROUND_MS = 60_000;
export const ROUNDS_A_DAY = 1440;

/** The last round that has ended by then (Unix milliseconds). */
export function lastRoundBy(ms: number): number {
  return Math.floor(ms / ROUND_MS) - 1;
}
