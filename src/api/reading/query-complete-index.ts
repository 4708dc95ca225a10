import { RetryableError } from '../../platform/errors.ts';
import { createConfirmedValue, type ConfirmedValue } from '../../platform/cache/confirmed-value.ts';
import { sealOf } from '../../stores/feed-lease.ts';
import type { Hits, Search, SearchQuery } from '../../stores/search/port.ts';
import { withTimeLimit } from '../../stores/time-limit.ts';
import { createAdmission } from './admission.ts';
import { memoizeLatest } from '../../platform/once.ts';
import type { CacheOptions } from './document-cache.ts';

/** `confirmMs` is also how long the seal that was read counts. */
export interface CompleteIndexOptions extends Pick<CacheOptions, 'documents' | 'clock' | 'confirmMs'> {
  readonly search: Pick<Search, 'query'>;
  readonly storeLimitMs: number;
}

/** The part of its time that a query may spend waiting for those before it. */
const WAITING = 0.75;
/** Queries that an index is given at a time: enough to keep it busy, few enough to wait for. */
const WITH_INDEX = 4;
/** How often the index is asked: it may be sealed again between its answer and our look at the seal. */
const ATTEMPTS = 2;

/**
 * Queries of a complete index alone. An index that was lost, emptied or restored lacks the seal that its lease names,
 * from the first answer on: what it finds is a part of what there is, or of what there was.
 */
export function createCompleteIndex(options: CompleteIndexOptions) {
  const { search, documents, clock, confirmMs, storeLimitMs } = options;
  const admission = createAdmission({
    of: 'a search',
    maxWaitMs: storeLimitMs * WAITING,
    atOnce: WITH_INDEX,
    clock,
  });
  const sealsOf = memoizeLatest((index): ConfirmedValue<string | null> => {
    const read = () => sealOf(documents, index);
    return createConfirmedValue({ read, clock, minMs: confirmMs, costFactor: 0 });
  });

  return {
    /**
     * The hits, for a caller whose other queries it takes turns with. Throws what the stores throw.
     * @throws {RetryableError} where the index is being filled, or is asked too much to answer in time.
     */
    async query(
      caller: string,
      index: string,
      query: SearchQuery,
      yields: boolean,
    ): Promise<Omit<Hits, 'seals'>> {
      if ((await sealsOf(index).current()) === null) throw filling(index);
      const ask = () => withTimeLimit(search.query(index, query), storeLimitMs);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const { seals, ...hits } = await withTimeLimit(admission.admit(caller, ask, yields), storeLimitMs);
        if (await isComplete(index, seals)) return hits;
      }
      throw filling(index);
    },
  };

  async function isComplete(index: string, held: readonly string[]): Promise<boolean> {
    const known = sealsOf(index);
    const seal = await known.current();
    if (seal !== null && held.includes(seal)) return true;
    // It was sealed again since we looked.
    const now = await known.insteadOf(seal);
    return now !== null && held.includes(now);
  }
}

function filling(index: string): RetryableError {
  return new RetryableError(`The search index ${index} is being filled`);
}
