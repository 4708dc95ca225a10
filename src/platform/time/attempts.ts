import type { Clock } from './clock.ts';
import { createRates } from './rates.ts';

/**
 * Slows down whoever tries one secret after another. The first attempts of an address are looked at as they come; beyond its
 * rate each one waits a little, whether it is right or wrong. Nobody is kept out: others may share the address, behind a proxy
 * or on loopback, and one of them may have the right secret.
 */
export interface Attempts {
  /** Resolves when the next attempt from this address may be looked at. */
  wait(address: string): Promise<void>;
}

/** In milliseconds: next to nothing to a person, and too much to whoever guesses. */
export const ATTEMPT_DELAY_MS = 1000;

export function createAttempts(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  rate: { readonly burst: number; readonly perMinute: number },
): Attempts {
  const rates = createRates(clock, rate);
  return {
    async wait(address) {
      if (rates.take(address) !== null) await clock.sleep(ATTEMPT_DELAY_MS);
    },
  };
}
