import { secondsToMidnight } from '../../access/quota/utc-day.ts';
import type { QuotaResult } from '../../access/quota/quota.ts';

/** What a response says about the quota, in its headers. */
export interface Rate extends Omit<QuotaResult, 'granted' | 'grant'> {
  readonly cost: 0 | 1;
}

/** Where no key is needed, or none was looked at: the quota as it is before the first request. `now` in Unix ms. */
export function untouchedRate(limit: number, now: number): Rate {
  return { limit, remaining: limit, resetS: secondsToMidnight(now), cost: 0 };
}

/** Where there is no good key, or nobody can tell: nothing is left. */
export function emptyRate(limit: number, now: number): Rate {
  return { ...untouchedRate(limit, now), remaining: 0 };
}
