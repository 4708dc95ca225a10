/**
 * Whether something confirmed at `at` still counts at `now`. A clock that was put back makes everything stale, so that
 * an hour's correction never keeps an old answer alive for an hour.
 */
export function isFresh(at: number, now: number, forMs: number): boolean {
  return now >= at && now - at < forMs;
}
