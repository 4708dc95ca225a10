import { hash } from 'node:crypto';

import { newToken } from '../../access/accounts/tokens.ts';
import type { Clock } from '../../platform/time/clock.ts';

/**
 * Values that tokens stand for, in the memory of this process: a restart forgets them. Tokens are kept as digests.
 *
 *   absent --added--> kept --taken, or its time is over, or many others were added since--> absent
 */
export interface TokenMap<T> {
  /** A token that was never seen before. */
  add(value: T): string;
  /** null where there is none of this token, or none any more. */
  find(token: string | null): T | null;
  /** The same, for the last time. */
  take(token: string | null): T | null;
}

/** `most`: kept at once; the oldest makes room. */
export function createTokenMap<T>(
  clock: Pick<Clock, 'monotonic'>,
  { most, lifeMs }: { readonly most: number; readonly lifeMs: number },
): TokenMap<T> {
  const kept = new Map<string, { readonly value: T; readonly endsAt: number }>();
  const map: TokenMap<T> = {
    add(value) {
      const token = newToken();
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
      kept.set(nameOf(token), { value, endsAt: clock.monotonic() + lifeMs });
      return token;
    },
    find(token) {
      const found = token === null ? undefined : kept.get(nameOf(token));
      return found && clock.monotonic() < found.endsAt ? found.value : null;
    },
    take(token) {
      const value = map.find(token);
      if (token !== null) kept.delete(nameOf(token));
      return value;
    },
  };
  return map;
}

function nameOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
