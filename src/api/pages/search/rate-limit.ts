import { groupOf, createRateLimiter, NAMES } from '../../../platform/time/rate-limiter.ts';
import { createBoundedMap } from '../../../platform/cache/bounded-map.ts';
import { DAY_MS } from '../../../platform/time/instant.ts';
import { untouchedRate } from '../../http/rate-without-key.ts';
import type { PageParts } from '../shell/page-route.ts';

/** More than people type, less than programs ask. */
const SEARCHES = { burst: 40, perMinute: 120 };

export type SearchLimit = ReturnType<typeof searchLimit>;

/**
 * How many searches of pages one address may make: in a burst, then at a rate, and in a UTC day no more than a key may. So
 * the pages are no way around the quota. Counted in the memory of each instance.
 */
export function searchLimit({ clock, dailyLimit }: Pick<PageParts, 'clock' | 'dailyLimit'>) {
  const rates = createRateLimiter(clock, SEARCHES);
  const days = createBoundedMap<{ readonly day: number; readonly searches: number }>(NAMES);
  return {
    /** null where the search may be made, and is counted; else how many seconds to wait. */
    take(address: string): number | null {
      const name = groupOf(address);
      const now = clock.now();
      const day = Math.floor(now / DAY_MS);
      const known = days.get(name);
      const searches = known?.day === day ? known.searches : 0;
      if (searches >= dailyLimit) return untouchedRate(dailyLimit, now).resetS;
      const waitS = rates.take(name);
      if (waitS === null) days.set(name, { day, searches: searches + 1 }, 1);
      return waitS;
    },
  };
}
