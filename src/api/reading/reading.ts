import type { CategoryView } from '../../../projections/categories/document.ts';
import { buildTaxonomy, type CategoryCount, type Taxonomy } from './category-tree.ts';
import type { Kind, ListingView, PublishedView } from '../../../projections/listings/document.ts';
import { digestOf } from '../../platform/canonical.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { Alias, Live } from '../../stores/live.ts';
import type { Search } from '../../stores/search/port.ts';
import { createBoundedMap } from './bounded-map.ts';
import { createDocumentCache, type Confirmed } from './cache.ts';
import type { EntryFilter } from './filter.ts';
import { createHitPages, type HitPages, type HitsAsked, type PageOfHits } from './hits.ts';
import { COST_FACTOR, createSnapshot, type Snapshot } from '../../platform/snapshot.ts';
import { withTimeLimit, type ReadDocuments } from '../../stores/time-limit.ts';

/**
 * What the routes read, each part with its own freshness. Every method throws what the store throws; a store that takes
 * longer than its limit is a `RetryableError`.
 */
export interface Reading {
  /** The collection and the index of the live version of a read model, confirmed within `confirmMs`. */
  live(readModel: 'listings' | 'categories'): Promise<LiveVersion>;
  /** Published entries alone, each confirmed within `confirmMs`; the others are left out. */
  published(collection: string, slugs: readonly string[]): Promise<ReadonlyMap<string, PublishedListing>>;
  /** All categories. The same object for as long as none of them changes. */
  taxonomy(): Promise<TaxonomySnapshot>;
  /** Published entries of each kind and category. The same object for as long as no count changes. */
  counts(collection: string): Snapshot<readonly CategoryCount<Kind>[]>;
  /** The slugs that lead by score, best first: ids to hydrate, behind by as much as a snapshot may be. */
  ranking(collection: string, filter: EntryFilter): Snapshot<readonly string[]>;
  /** The slugs that the index finds, page by page: ids to hydrate, too. */
  hits(asked: HitsAsked): Promise<PageOfHits>;
  /** The same page for a reader who has found that some of its hits do not belong to it. */
  hitsWithout(...given: Parameters<HitPages['pageWithout']>): Promise<PageOfHits>;
}

export type LiveVersion = Pick<Alias, 'collection' | 'index'>;

export type PublishedListing = Confirmed<PublishedView>;

export interface TaxonomySnapshot extends Taxonomy {
  /** Of the versions of all categories. */
  readonly digest: string;
}

export interface ReadingOptions {
  readonly documents: ReadDocuments;
  readonly live: Pick<Live, 'read'>;
  readonly search: Pick<Search, 'query'>;
  readonly clock: Clock;
  /** How long a confirmation counts, in milliseconds. */
  readonly confirmMs: number;
  readonly storeLimitMs: number;
  readonly maxBytes: number;
}

/** Entries that a ranking holds: the most that can be asked for, and a few for those that have left since. */
const RANKED = 120;

/** Rankings and counts that are kept; anybody with a key can ask for any category. */
const SNAPSHOTS = 1000;

export function createReading(options: ReadingOptions): Reading {
  const { documents, live, clock, confirmMs, storeLimitMs } = options;
  const cache = createDocumentCache(options);
  const snapshots = createBoundedMap<Snapshot<unknown>>(SNAPSHOTS);
  const aliases = { listings: alias('listings'), categories: alias('categories') };
  const taxonomy = createSnapshot({
    compute: readTaxonomy,
    clock,
    minMs: confirmMs,
    costFactor: COST_FACTOR,
  });
  const hitPages = createHitPages({ ...options, published });

  return {
    live: (readModel) => aliases[readModel].current(),

    published,

    taxonomy: () => taxonomy.current(),

    counts: (collection) => snapshot(`counts ${collection}`, (previous) => readCounts(collection, previous)),

    ranking: (collection, filter) =>
      snapshot(`ranking ${collection} ${filter.name}`, () => readRanking(collection, filter)),

    hits: (asked) => hitPages.page(asked),

    hitsWithout: (...given) => hitPages.pageWithout(...given),
  };

  async function published(
    collection: string,
    slugs: readonly string[],
  ): Promise<ReadonlyMap<string, PublishedListing>> {
    const found = await cache.get<ListingView>(collection, slugs);
    const entries = new Map<string, PublishedListing>();
    for (const [slug, listing] of found) if (isPublished(listing)) entries.set(slug, listing);
    return entries;
  }

  function alias(readModel: string): Snapshot<LiveVersion> {
    const compute = async (): Promise<LiveVersion> => {
      const found = await withTimeLimit(live.read(readModel), storeLimitMs);
      if (!found) throw new RetryableError(`Nothing has been projected into ${readModel} yet`);
      return found;
    };
    return createSnapshot({ compute, clock, minMs: confirmMs, costFactor: 0 });
  }

  function snapshot<T>(name: string, compute: (previous: T | null) => Promise<T>): Snapshot<T> {
    // The name says what is computed, so it also says the type.
    const known = snapshots.get(name) as Snapshot<T> | undefined;
    if (known) return known;
    const created = createSnapshot({ compute, clock, minMs: confirmMs, costFactor: COST_FACTOR });
    snapshots.set(name, created, 1);
    return created;
  }

  async function readTaxonomy(previous: TaxonomySnapshot | null): Promise<TaxonomySnapshot> {
    const { collection } = await aliases.categories.current();
    const categories: { readonly slug: string; readonly version: string; readonly view: CategoryView }[] = [];
    for await (const batch of documents.scan<{ readonly view: CategoryView }>(collection)) {
      for (const { id, version, body } of batch) categories.push({ slug: id, version, view: body.view });
    }
    const digest = digestOf([collection, ...categories.flatMap(({ slug, version }) => [slug, version])]);
    return previous?.digest === digest ? previous : { ...buildTaxonomy(categories), digest };
  }

  async function readCounts(
    collection: string,
    previous: readonly CategoryCount<Kind>[] | null,
  ): Promise<readonly CategoryCount<Kind>[]> {
    const where = { 'view.published': true };
    const groups = await documents.count(collection, { where, by: ['view.kind', 'view.category'] });
    const counts = groups
      // Grouped by these very fields of a published view, so these are their types.
      .map(({ values, count }) => ({ kind: values[0] as Kind, category: values[1] as string | null, count }))
      .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    return JSON.stringify(counts) === JSON.stringify(previous) ? (previous ?? counts) : counts;
  }

  async function readRanking(
    collection: string,
    { kind, categories }: EntryFilter,
  ): Promise<readonly string[]> {
    const where = {
      'view.published': true,
      ...(kind === null ? {} : { 'view.kind': kind }),
      ...(categories === null ? {} : { 'view.category': { in: [...categories] } }),
    };
    const page = await documents.find(collection, { where, order: ['-view.score.value'], limit: RANKED });
    return page.documents.map(({ id }) => id);
  }
}

function orderOf({ kind, category }: CategoryCount): string {
  return `${kind} ${category ?? ''}`;
}

function isPublished(listing: Confirmed<ListingView>): listing is PublishedListing {
  return listing.view.published;
}
