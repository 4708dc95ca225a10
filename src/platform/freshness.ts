/**
 * Whether something confirmed at `at` still counts at `now`; both by `Clock.monotonic`. By the wall time, what was
 * confirmed before a clock was set back would be fresh again when that time returns.
 */
export function isFresh(at: number, now: number, forMs: number): boolean {
  return now - at < forMs;
}
