import type { PublishedView } from '../../../projections/listings/document.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { sealOf } from '../../stores/leases.ts';
import type { Hits, Search, SearchQuery } from '../../stores/search/port.ts';
import { createBoundedMap, latest } from './bounded-map.ts';
import type { Confirmed } from './cache.ts';
import { createExclusions, type Exclusions } from './exclusions.ts';
import type { EntryFilter } from './filter.ts';
import { createKeyGate } from './key-gate.ts';
import { createLine } from './line.ts';
import { COST_FACTOR, createSnapshot, type Snapshot } from '../../platform/snapshot.ts';
import { withTimeLimit, type ReadDocuments } from '../../stores/time-limit.ts';

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
  /** The key that asks: how much of its work is under way, and whose turn it is. */
  readonly keyId: string;
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

/** Slugs, and categories to filter by, that all kept pages hold together, at some 100 bytes each: 10 MB. */
const HELD = 100_000;
/** The part of its time that a query may spend waiting for those before it. */
const WAITING = 0.5;
/** Queries that an index is given at a time: enough to keep it busy, few enough to wait for. */
const WITH_INDEX = 4;
/** Searches of one key at work at a time; others wait for so long, in milliseconds. docs/reference/api.md says the same. */
export const SEARCHES_AT_ONCE = 8;
const LONGEST_WAIT_MS = 1000;
/** How often the index is asked: it may be sealed anew between its answer and our look at the seal. */
const ATTEMPTS = 2;
/** What a page takes beside those, in their unit; its text and its name hold what was asked twice. */
const PAGE = 20;
const LETTERS = 25;

export function createHitPages(options: HitPagesOptions): HitPages {
  const { search, documents, published, clock, confirmMs, storeLimitMs } = options;
  const pages = createBoundedMap<KeptPage>(HELD);
  const exclusionsOf = latest((collection): Exclusions => {
    const read = (ids: readonly string[]) => published(collection, ids);
    return createExclusions({ documents, collection, published: read, clock, confirmMs });
  });
  /** The seal of the complete index, as it was at most `confirmMs` ago. */
  const sealsOf = latest((index): Snapshot<string | null> => {
    const compute = () => sealOf(documents, index);
    return createSnapshot({ compute, clock, minMs: confirmMs, costFactor: 0 });
  });
  const line = createLine({ of: 'a search', maxWaitMs: storeLimitMs * WAITING, atOnce: WITH_INDEX, clock });
  const gate = createKeyGate({ clock, atOnce: SEARCHES_AT_ONCE, maxWaitMs: LONGEST_WAIT_MS });

  return {
    async page(asked) {
      const { digest } = await exclusionsOf(asked.collection).of(asked.filter);
      const known = snapshotOf(asked).known();
      if (known?.excluding === digest) return known;
      return await gate.pass(asked.keyId, () => current(asked));
    },

    async pageWithout(dropped, page, asked) {
      exclusionsOf(asked.collection).contradict(dropped);
      return await gate.pass(asked.keyId, () => snapshotOf(asked).insteadOf(page));
    },
  };

  async function current(asked: HitsAsked): Promise<PageOfHits> {
    const { digest } = await exclusionsOf(asked.collection).of(asked.filter);
    const snapshot = snapshotOf(asked);
    const page = await snapshot.current();
    return page.excluding === digest ? page : await snapshot.renewed();
  }

  function snapshotOf(asked: HitsAsked): Snapshot<PageOfHits> {
    const { index, keyId, q, filter, page, limit } = asked;
    const name = JSON.stringify([index, q, filter.name, page, limit]);
    const known = pages.get(name);
    if (known) {
      known.askedBy = keyId;
      return known.hits;
    }
    const compute = () => query({ ...asked, keyId: kept.askedBy });
    const created = createSnapshot({ compute, clock, minMs: confirmMs, costFactor: COST_FACTOR });
    const kept: KeptPage = { hits: created, askedBy: keyId };
    pages.set(name, kept, PAGE + q.length / LETTERS + limit + (filter.categories?.size ?? 0));
    return created;
  }

  async function query({ collection, index, keyId, q, filter, page, limit }: HitsAsked): Promise<PageOfHits> {
    if ((await sealsOf(index).current()) === null) throw filling(index);
    const { ids: exclude, digest: excluding } = await exclusionsOf(collection).of(filter);
    const offset = (page - 1) * limit;
    const asking = { q, filter: conditionsOf(filter), exclude, offset, limit };
    // All who ask for this page meanwhile wait for it, whoever came first: it is in the line once.
    const ask = () => withTimeLimit(search.query(index, asking), storeLimitMs);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { seals: held, ...hits } = await withTimeLimit(line.pass(keyId, ask), storeLimitMs);
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

interface KeptPage {
  readonly hits: Snapshot<PageOfHits>;
  /** The key that asked last: where the page is to be computed, it stands in line for it. */
  askedBy: string;
}

function conditionsOf({ kind, categories }: EntryFilter): SearchQuery['filter'] {
  return {
    ...(kind === null ? {} : { kind }),
    ...(categories === null ? {} : { categories: [...categories] }),
  };
}
