import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  COST_FACTOR,
  createConfirmedValue,
  type ConfirmedValue,
} from '../../platform/cache/confirmed-value.ts';
import type { Hits, SearchQuery } from '../../stores/search/port.ts';
import { memoizeLatest } from '../../platform/once.ts';
import { type CompleteIndexOptions, createCompleteIndex } from './query-complete-index.ts';
import { createExclusions } from './exclude-stale-entries.ts';
import type { EntryFilter } from './entry-filter.ts';
import type { TaxonomySnapshot } from './catalog-reader.ts';
import type { Synonyms } from '../../stores/search/query/synonyms.ts';
import { createSearchQueryParser } from './query-parser-with-taxonomy.ts';
import { createKeyConcurrency } from './key-concurrency.ts';
import type { ConfirmedLists, Listings, PublishedListing } from './listing-queries.ts';

export interface HitsRequest {
  readonly collection: string;
  /** The index of that very collection. */
  readonly index: string;
  /** The key that asks: how much of its work is under way, and whose turn it is. */
  readonly keyId: string;
  /** Whether it has no key, and stands back for all that do: `keyId` names whoever asks. Default false. */
  readonly yields?: boolean;
  /** Trimmed, in NFC: 1 to 120 code points. */
  readonly q: string;
  readonly filter: EntryFilter;
  /** By which words name categories. */
  readonly taxonomy: TaxonomySnapshot;
  /** From 1. */
  readonly page: number;
  /** Entries on a page, 1 to 50. */
  readonly limit: number;
}

export interface PageOfHits extends Omit<Hits, 'seals'> {
  /** The digest of what it leaves out. */
  readonly excluding: string;
  /** The content version of the index when it was asked, or before; null where it is not known. */
  readonly contentVersion: string | null;
}

export interface HitPagesOptions extends CompleteIndexOptions {
  readonly lists: ConfirmedLists;
  readonly published: Listings['published'];
  /** Default: the shipped ones. */
  readonly synonyms?: Synonyms | undefined;
}

/** Searches of one key at work at a time; others wait for so long, in milliseconds. docs/reference/api.md says the same. */
export const SEARCHES_AT_ONCE = 8;
const LONGEST_WAIT_MS = 1000;
/** What a page takes beside its slugs, in their unit; its text and its name hold what was asked twice. */
const PAGE = 20;
const LETTERS = 25;

/**
 * Pages of hits: ids to hydrate, as far behind as a confirmed value may be. While the index is known to be as it was, and the same
 * ids are left out, it is not asked for a page again.
 */
export function createHitPages(options: HitPagesOptions) {
  const { documents, lists, published, clock, confirmMs } = options;
  const exclusionsOf = memoizeLatest((collection) => {
    const read = (ids: readonly string[]) => published(collection, ids);
    return createExclusions({ documents, collection, published: read, clock, confirmMs });
  });
  const completeIndex = createCompleteIndex(options);
  const understanding = createSearchQueryParser(options.synonyms);
  const gate = createKeyConcurrency({ clock, atOnce: SEARCHES_AT_ONCE, maxWaitMs: LONGEST_WAIT_MS });

  return {
    /** What a query means by the words and categories that are known now. */
    understood: understanding,

    /** One page; asked for again where what has to be left out has changed since. Throws what the stores throw. */
    hits: async (asked: HitsRequest): Promise<PageOfHits> => {
      const { digest } = await exclusionsOf(asked.collection).of(asked.filter);
      const page = pageOf(asked);
      const known = page.known();
      return known?.excluding === digest ? known : await gate.pass(asked.keyId, () => current(page, asked));
    },

    /**
     * The same page for a reader who has found that some of its hits do not belong to it: without those, from now on.
     * `dropped` has the entries as they are, null for those that are not published.
     */
    hitsWithout: async (
      dropped: ReadonlyMap<string, PublishedListing | null>,
      page: PageOfHits,
      asked: HitsRequest,
    ): Promise<PageOfHits> => {
      exclusionsOf(asked.collection).contradict(dropped);
      return await gate.pass(asked.keyId, async () => await pageOf(asked).insteadOf(page));
    },
  };

  async function current(kept: ConfirmedValue<PageOfHits>, asked: HitsRequest): Promise<PageOfHits> {
    const { digest } = await exclusionsOf(asked.collection).of(asked.filter);
    const page = await kept.current();
    return page.excluding === digest ? page : await kept.renewed();
  }

  function pageOf(asked: HitsRequest): ConfirmedValue<PageOfHits> {
    const { index, keyId, yields = false, q, filter, taxonomy, page, limit } = asked;
    // Nobody waits for a computation that stands behind him: each line has its own.
    const name = JSON.stringify([yields, index, q, filter.name, taxonomy.digest, page, limit]);
    const size = PAGE + q.length / LETTERS + limit + (filter.categories?.size ?? 0);
    const kept = lists.of(name, size, () => keptPage(asked));
    kept.askedBy = keyId;
    return kept.hits;
  }

  function keptPage(asked: HitsRequest): KeptPage {
    const read = (previous: PageOfHits | null) => readPage(previous, { ...asked, keyId: kept.askedBy });
    const confirmed = { read, clock, minMs: confirmMs, costFactor: COST_FACTOR };
    const kept: KeptPage = { hits: createConfirmedValue(confirmed), askedBy: asked.keyId };
    return kept;
  }

  async function readPage(previous: PageOfHits | null, asked: HitsRequest): Promise<PageOfHits> {
    const { collection, index, keyId, yields = false, q, filter, taxonomy, page, limit } = asked;
    // Before the index is asked: what changes meanwhile has another version.
    // The lease is read again for a page that may be kept: the ages of both would add up.
    const contentVersion = await completeIndex.contentVersion(index, previous !== null);
    if (previous !== null && contentVersion !== null && previous.contentVersion === contentVersion) {
      const { digest } = await exclusionsOf(collection).of(filter);
      if (previous.excluding === digest) return previous;
    }
    // A new search is work, here and in its own thread: others are answered first.
    await yieldToEventLoop();
    const understood = understanding(q, taxonomy);
    const { ids: exclude, digest: excluding } = await exclusionsOf(collection).of(filter);
    const offset = (page - 1) * limit;
    const asking = { q, understood, filter: conditionsOf(filter), exclude, offset, limit };
    return { ...(await completeIndex.query(keyId, index, asking, yields)), excluding, contentVersion };
  }
}

/**
 * Resolves when what has come meanwhile has had its turn, requests of others among it. One `setImmediate` would not do where
 * input is being taken in: it runs before the event loop looks for more.
 */
async function yieldToEventLoop(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

interface KeptPage {
  readonly hits: ConfirmedValue<PageOfHits>;
  /** The key that asked last: where the page is to be computed, it waits in its turn. */
  askedBy: string;
}

function conditionsOf({ kind, categories }: EntryFilter): SearchQuery['filter'] {
  return {
    ...(kind === null ? {} : { kind }),
    ...(categories === null ? {} : { categories: [...categories] }),
  };
}
