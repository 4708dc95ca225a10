import type { PublishedView } from '../../../projections/listings/document.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { sealOf } from '../../stores/leases.ts';
import type { Hits, Search, SearchQuery } from '../../stores/search/port.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { Confirmed } from './cache.ts';
import { createExclusions, type Exclusions } from './exclusions.ts';
import type { EntryFilter } from './filter.ts';
import { createLine } from './line.ts';
import { COST_FACTOR, createSnapshot, type Snapshot } from './snapshot.ts';
import { withTimeLimit, type ReadDocuments } from './time-limit.ts';

/** Pages of hits, computed by the index now and then: ids to hydrate, as far behind as a snapshot may be. */
export interface HitPages {
  /** One page; anew where what has to be left out has changed since. Throws what the stores throw. */
  page(asked: HitsAsked): Promise<PageOfHits>;
  /**
   * The same page for a reader who has found that some of its hits do not belong to it: without those, from now on.
   * `dropped` has the entries as they are, null for those that are not published.
   */
  pageWithout(
    dropped: ReadonlyMap<string, Confirmed<PublishedView> | null>,
    page: PageOfHits,
    asked: HitsAsked,
  ): Promise<PageOfHits>;
}

export interface HitsAsked {
  readonly collection: string;
  /** The index of that very collection. */
  readonly index: string;
  readonly q: string;
  readonly filter: EntryFilter;
  /** From 1. */
  readonly page: number;
  /** Entries on a page, 1 to 50. */
  readonly limit: number;
}

export interface PageOfHits extends Omit<Hits, 'seals'> {
  /** The digest of what it leaves out. */
  readonly excluding: string;
}

export interface HitPagesOptions {
  readonly search: Pick<Search, 'query'>;
  readonly documents: ReadDocuments;
  readonly published: (
    collection: string,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, Confirmed<PublishedView>>>;
  readonly clock: Clock;
  readonly confirmMs: number;
  readonly storeLimitMs: number;
}

/** Slugs, and categories to filter by, that all kept pages hold together: some 10 MB. */
const HELD = 100_000;
/** The part of its time that a query may spend waiting for those before it. */
const WAITING = 0.5;
/** How often the index is asked: it may be sealed anew between its answer and our look at the seal. */
const ATTEMPTS = 2;
/** What a page takes beside those, in their unit. */
const PAGE = 10;

export function createHitPages(options: HitPagesOptions): HitPages {
  const { search, documents, published, clock, confirmMs, storeLimitMs } = options;
  const pages = createBoundedMap<Snapshot<PageOfHits>>(HELD);
  const exclusions = new Map<string, Exclusions>();
  const seals = new Map<string, Snapshot<string | null>>();
  const line = createLine({ of: 'a search', maxWaitMs: storeLimitMs * WAITING });

  return {
    async page(asked) {
      const { digest } = await exclusionsOf(asked.collection).of(asked.filter);
      const snapshot = snapshotOf(asked);
      const page = await snapshot.current();
      return page.excluding === digest ? page : await snapshot.renewed();
    },

    pageWithout(dropped, page, asked) {
      exclusionsOf(asked.collection).contradict(dropped);
      return snapshotOf(asked).insteadOf(page);
    },
  };

  function exclusionsOf(collection: string): Exclusions {
    let known = exclusions.get(collection);
    if (!known) {
      const read = (ids: readonly string[]) => published(collection, ids);
      known = createExclusions({ documents, collection, published: read, clock, confirmMs });
      exclusions.set(collection, known);
    }
    return known;
  }

  function snapshotOf(asked: HitsAsked): Snapshot<PageOfHits> {
    const { index, q, filter, page, limit } = asked;
    const name = JSON.stringify([index, q, filter.name, page, limit]);
    const known = pages.get(name);
    if (known) return known;
    const compute = () => query(asked);
    const created = createSnapshot({ compute, clock, minMs: confirmMs, costFactor: COST_FACTOR });
    pages.set(name, created, PAGE + limit + (filter.categories?.size ?? 0));
    return created;
  }

  /** The seal of the complete index, as it was at most `confirmMs` ago. */
  function sealsOf(index: string): Snapshot<string | null> {
    let known = seals.get(index);
    if (!known) {
      const compute = () => sealOf(documents, index);
      seals.set(index, (known = createSnapshot({ compute, clock, minMs: confirmMs, costFactor: 0 })));
    }
    return known;
  }

  async function query({ collection, index, q, filter, page, limit }: HitsAsked): Promise<PageOfHits> {
    if ((await sealsOf(index).current()) === null) throw filling(index);
    const { ids: exclude, digest: excluding } = await exclusionsOf(collection).of(filter);
    const offset = (page - 1) * limit;
    const asking = { q, filter: conditionsOf(filter), exclude, offset, limit };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const found = await line.pass(() => withTimeLimit(search.query(index, asking), storeLimitMs));
      const { seals: held, ...hits } = found;
      if (await isBelieved(index, held)) return { ...hits, excluding };
    }
    throw filling(index);
  }

  /**
   * Whether the index that answered has the seal of the complete one. An index that was lost, emptied or restored has
   * not, from the first answer on: what it finds is a part of what there is, or of what there was.
   */
  async function isBelieved(index: string, held: readonly string[]): Promise<boolean> {
    const known = sealsOf(index);
    const seal = await known.current();
    if (seal !== null && held.includes(seal)) return true;
    // It was sealed anew since we looked.
    const now = await known.insteadOf(seal);
    return now !== null && held.includes(now);
  }
}

function filling(index: string): RetryableError {
  return new RetryableError(`The search index ${index} is being filled`);
}

function conditionsOf({ kind, categories }: EntryFilter): SearchQuery['filter'] {
  return {
    ...(kind === null ? {} : { kind }),
    ...(categories === null ? {} : { categories: [...categories] }),
  };
}
