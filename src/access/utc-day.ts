export const DAY_MS = 86_400_000;

/** The UTC day of a Unix time in milliseconds, `YYYY-MM-DD`. */
export function dayAt(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 10);
}

/** Whole seconds, rounded up, at least 1. */
export function secondsToMidnight(unixMs: number): number {
  return Math.ceil((DAY_MS - (unixMs % DAY_MS)) / 1000);
}
