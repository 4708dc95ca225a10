import type { Clock } from '../../platform/clock.ts';
import { KeyBusy } from '../reading/key-gate.ts';

/**
 * Begins to make the answer of a request that is still being counted. What is returned gives it, once the request is granted.
 * Where that took longer than `maxMs`, it is made once more: behind the first one, so that a request takes no two places of
 * its key, and not where that has waited for a place in vain.
 */
export function headStart<T>(
  clock: Pick<Clock, 'monotonic'>,
  maxMs: number,
  make: () => Promise<T>,
): () => Promise<T> {
  const since = clock.monotonic();
  const first = make();
  // Met by whoever wants the answer, and by nobody else.
  first.catch(() => undefined);
  return () => (clock.monotonic() - since < maxMs ? first : first.then(make, makeAgain));

  function makeAgain(thrown: unknown): Promise<T> {
    if (thrown instanceof KeyBusy) throw thrown;
    return make();
  }
}
