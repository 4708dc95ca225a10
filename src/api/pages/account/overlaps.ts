const HOUR_MS = 3_600_000;

/** For how long a key that is replaced may go on working, as the page offers it. */
export const OVERLAPS = [
  { name: 'now', ms: 0 },
  { name: 'hour', ms: HOUR_MS },
  { name: 'day', ms: 24 * HOUR_MS },
  { name: 'week', ms: 7 * 24 * HOUR_MS },
] as const;
