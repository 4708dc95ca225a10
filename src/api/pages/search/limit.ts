import { groupOf } from '../../../platform/address-groups.ts';
import { createBoundedMap } from '../../../platform/bounded-map.ts';
import type { Clock } from '../../../platform/clock.ts';

/**
 * How many searches of pages one address may make: in a burst, then at a rate, and in a UTC day no more than a key may. So
 * the pages are no way around the quota. Counted in the memory of each instance.
 */
export interface SearchLimit {
  /** null where the search may be made, and is counted; else how many seconds to wait. */
  take(address: string): number | null;
}

/** Searches in a burst, and in a second after that: more than people type, less than programs ask. */
const BURST = 40;
const PER_SECOND = 2;
/** Addresses that are remembered; the one that was forgotten begins anew. */
const ADDRESSES = 50_000;
const DAY_S = 86_400;

interface Bucket {
  left: number;
  at: number;
  day: number;
  today: number;
}

export function searchLimit({
  clock,
  dailyLimit,
}: {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly dailyLimit: number;
}): SearchLimit {
  const buckets = createBoundedMap<Bucket>(ADDRESSES);
  return {
    take(address) {
      const name = groupOf(address);
      const at = clock.monotonic();
      const seconds = clock.now() / 1000;
      const day = Math.floor(seconds / DAY_S);
      const bucket = buckets.get(name) ?? { left: BURST, at, day, today: 0 };
      buckets.set(name, bucket, 1);
      bucket.left = Math.min(BURST, bucket.left + (PER_SECOND * (at - bucket.at)) / 1000);
      bucket.at = at;
      if (bucket.day !== day) Object.assign(bucket, { day, today: 0 });
      if (bucket.today >= dailyLimit) return Math.max(1, Math.ceil((day + 1) * DAY_S - seconds));
      if (bucket.left < 1) return 1;
      bucket.left -= 1;
      bucket.today += 1;
      return null;
    },
  };
}
