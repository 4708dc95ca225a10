import { ahead, type Soon } from '../../platform/soon.ts';
import { KeyBusy } from '../reading/key-gate.ts';
import type { Questions } from './questions.ts';

/**
 * Begins to make the answer of a request that is still being counted. What is returned gives it, once the request is granted. Where others may have
 * been told otherwise by then, it is made once more: behind the first one, so that a request takes no two places of its key, and not
 * where that has waited for a place in vain.
 */
export function makeEarly<T>(
  questions: Pick<Questions, 'moment' | 'isFresh'>,
  make: () => Soon<T>,
): () => Promise<T> {
  const since = questions.moment();
  const early = ahead(make);
  return () => (questions.isFresh(since) ? early : early.then(make, makeAgain));

  function makeAgain(thrown: unknown): Soon<T> {
    if (thrown instanceof KeyBusy) throw thrown;
    return make();
  }
}
