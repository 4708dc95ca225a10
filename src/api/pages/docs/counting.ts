/** What each kind of response costs of a key's quota: the guide says it, and a test asks for each of them. */
export const COUNTING = {
  answered: 1,
  head: 1,
  refused: 1,
  missing: 1,
  anyTag: 1,
  unchanged: 0,
  usedUp: 0,
  unauthorized: 0,
  unreadable: 0,
  unknown: 0,
  method: 0,
  fault: 0,
  preflight: 0,
  open: 0,
} as const;

export type CountedCase = keyof typeof COUNTING;
export const COUNTED = Object.keys(COUNTING) as readonly CountedCase[];
