import { RetryableError } from '../../platform/errors.ts';
import { createConfirmedValue, type ConfirmedValue } from '../../platform/cache/confirmed-value.ts';
import { type FeedLease, readFeedLease } from '../../stores/feed-lease.ts';
import type { Hits, Search, SearchQuery } from '../../stores/search/port.ts';
import { withTimeLimit } from '../../stores/time-limit.ts';
import { createAdmission } from './admission.ts';
import { memoizeLatest } from '../../platform/once.ts';
import type { CacheOptions } from './document-cache.ts';

/** `confirmMs` is also how long the lease that was read counts. */
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
  const leaseOf = memoizeLatest((index): ConfirmedValue<IndexState | null> => {
    const read = async (previous: IndexState | null) => {
      const lease = await readFeedLease(documents, index);
      const isSame = lease?.seal === previous?.seal && lease?.content_version === previous?.content_version;
      return isSame ? previous : lease;
    };
    return createConfirmedValue<IndexState | null>({ read, clock, minMs: confirmMs, costFactor: 0 });
  });

  return {
    contentVersion,

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
      const ask = () => withTimeLimit(search.query(index, query), storeLimitMs);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const { seals, ...hits } = await withTimeLimit(admission.admit(caller, ask, yields), storeLimitMs);
        if (await isComplete(index, seals)) return hits;
      }
      throw filling(index);
    },
  };

  /**
   * What stays the same while the index is not changed; null where it is not known. The lease counts for `confirmMs`; where
   * `isRenewed`, it is read again.
   * @throws {RetryableError} where the index is being filled.
   */
  async function contentVersion(index: string, isRenewed = false): Promise<string | null> {
    const lease = await (isRenewed ? leaseOf(index).renewed() : leaseOf(index).current());
    if (lease === null || lease.seal === null) throw filling(index);
    return lease.content_version ?? null;
  }

  async function isComplete(index: string, held: readonly string[]): Promise<boolean> {
    const known = leaseOf(index);
    const lease = await known.current();
    if (isSealed(lease, held)) return true;
    // It was sealed again since we looked.
    const now = await known.insteadOf(lease);
    if (isSealed(now, held)) return true;
    // That was a reading from before, which tells no more than another content version.
    return now?.seal === lease?.seal && isSealed(await known.insteadOf(now), held);
  }
}

/** What the lease says of the index. */
type IndexState = Pick<FeedLease, 'seal' | 'content_version'>;

function isSealed(lease: IndexState | null, held: readonly string[]): boolean {
  return lease !== null && lease.seal !== null && held.includes(lease.seal);
}

function filling(index: string): RetryableError {
  return new RetryableError(`The search index ${index} is being filled`);
}
