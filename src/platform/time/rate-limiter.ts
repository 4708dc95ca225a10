import { isIPv4, isIPv6 } from 'node:net';

import { createBoundedMap } from '../cache/bounded-map.ts';
import type { Clock } from './clock.ts';

interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

/** Names that are remembered; the one that was forgotten begins anew. */
export const NAMES = 50_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** How often somebody may do something: some times at once, then at a rate. In the memory of this process. */
export function createRateLimiter(clock: Pick<Clock, 'monotonic'>, { burst, perMinute }: Rate) {
  const buckets = createBoundedMap<{ left: number; at: number }>(NAMES);
  return {
    /** null where it may be done, and is counted; else how many seconds to wait. */
    take(name: string): number | null {
      const at = clock.monotonic();
      const bucket = buckets.get(name) ?? { left: burst, at };
      buckets.set(name, bucket, 1);
      bucket.left = Math.min(burst, bucket.left + (perMinute * (at - bucket.at)) / 60_000);
      bucket.at = at;
      if (bucket.left < 1) return Math.max(1, Math.ceil(((1 - bucket.left) * 60) / perMinute));
      bucket.left -= 1;
      return null;
    },
  };
}

/** In milliseconds: next to nothing to a person, and too much to whoever guesses. */
export const ATTEMPT_DELAY_MS = 1000;

/**
 * Returns what slows down whoever tries one secret after another. The first attempts of an address are looked at as they come;
 * beyond its rate each one waits a little, whether it is right or wrong. Nobody is kept out: others may share the address,
 * behind a proxy or on loopback, and one of them may have the right secret.
 */
export function createAttemptDelay(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  rate: Rate,
): (address: string) => Promise<void> {
  const rates = createRateLimiter(clock, rate);
  return async (address) => {
    if (rates.take(address) !== null) await clock.sleep(ATTEMPT_DELAY_MS);
  };
}

/**
 * What an address is counted by. Whoever has one address of IPv6 has the 2^64 beside it, too. Whatever is no address is
 * one group: limits are never switched off by what they cannot read.
 */
export function groupOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return isIPv4(plain) ? plain : 'unknown';
  // In one spelling, of the many that an address has (RFC 5952).
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  const first = groups.slice(0, 4).join(':');
  if (first !== '0:0:0:0' || groups[4] !== '0' || groups[5] !== 'ffff') return first;
  // An address of IPv4 in that of IPv6 (RFC 4291, section 2.5.5.2).
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
