/**
 * Revisions that leap. The higher revision wins for good, so one that is too high by mistake, 2^53 - 1 at worst, leaves
 * what it is about as it is: nobody can go above it. It is warned of, and never refused: it may be meant.
 */
export interface Leap {
  /** 0 where nothing was known before. */
  readonly from: number;
  readonly to: number;
}

/** A revision up to here leaps from nowhere. */
export const LEAST_LEAP = 1_000_000;
/** More than half of all revisions that there are, for one that nothing was known before. */
const FIRST = 2 ** 51;

/**
 * Whether it goes up by more than a million, and to more than the double: of publishers that take the time for a revision,
 * each event is millions above the one before, and none is the double of it.
 */
export function isLeap({ from, to }: Leap): boolean {
  return to - from > LEAST_LEAP && to > 2 * (from === 0 ? FIRST : from);
}

/** The revision in a document's registers: that of the one register that goes by numbers; 0 where it is empty. */
export function revisionIn(registers: unknown): number {
  for (const register of Object.values(registers ?? {}) as readonly { readonly at?: unknown }[]) {
    if (typeof register?.at === 'number') return register.at;
  }
  return 0;
}
