import type { Kind, ListingView, PublishedView } from '../../../projections/listings/document.ts';
import {
  COST_FACTOR,
  createConfirmedValue,
  type ConfirmedValue,
} from '../../platform/cache/confirmed-value.ts';
import { createBoundedMap } from '../../platform/cache/bounded-map.ts';
import type { CacheOptions, ConfirmedDocument, DocumentCache } from './document-cache.ts';
import type { CategoryCount } from './category-tree.ts';
import type { EntryFilter } from './entry-filter.ts';
import type { CatalogReader } from './catalog-reader.ts';

/** What is read of a collection of listings. Only published entries are ever answered, listed or counted. */
export type Listings = ReturnType<typeof createListings>;

export type PublishedListing = ConfirmedDocument<PublishedView>;

interface ListingsOptions extends Pick<CacheOptions, 'documents' | 'clock' | 'confirmMs'> {
  readonly cache: DocumentCache;
  readonly lists: ConfirmedLists;
}

export type ConfirmedLists = ReturnType<typeof createConfirmedLists>;

/** Slugs that all lists hold together, at some 100 bytes each: 20 MB. */
const HELD = 200_000;

/**
 * Rankings, counts and pages of hits by name, each a confirmed value of its own: anybody with a key can ask for any number of
 * them, so those that nobody asks for are forgotten.
 */
export function createConfirmedLists() {
  const lists = createBoundedMap<unknown>(HELD);
  return {
    /** The list of this name; made where there is none. The name says what it is of, so it also says the type. */
    of<List>(name: string, size: number, make: () => List): List {
      const known = lists.get(name) as List | undefined;
      if (known !== undefined) return known;
      const made = make();
      lists.set(name, made, size);
      return made;
    },
  };
}

/** Entries that a ranking holds: the most that can be asked for, and a few for those that have left since. */
const RANKED = 120;

/** One entry of the live build; null where none of this slug is published. */
export async function readListing(
  { live, published }: Pick<CatalogReader, 'live' | 'published'>,
  slug: string,
): Promise<PublishedListing | null> {
  const { collection } = await live('listings');
  return (await published(collection, [slug])).get(slug) ?? null;
}

export function createListings({ cache, lists, documents, clock, confirmMs }: ListingsOptions) {
  return {
    /** Each confirmed by the cache; those that are not published are left out. */
    published: async (
      collection: string,
      slugs: readonly string[],
    ): Promise<ReadonlyMap<string, PublishedListing>> => {
      const found = await cache.get<ListingView>(collection, slugs);
      const entries = new Map<string, PublishedListing>();
      for (const [slug, listing] of found) if (isPublished(listing)) entries.set(slug, listing);
      return entries;
    },

    /** Entries of each kind and category. The same object for as long as no count changes. */
    counts: (collection: string): ConfirmedValue<readonly CategoryCount[]> =>
      list(`counts ${collection}`, (previous) => readCounts(collection, previous)),

    /** The slugs that lead by score, best first: ids to hydrate, behind by as much as a confirmed value may be. */
    ranking: (collection: string, filter: EntryFilter): ConfirmedValue<readonly string[]> =>
      list(`ranking ${collection} ${filter.name}`, (previous) => readRanking(collection, filter, previous)),
  };

  function list<T>(name: string, read: (previous: T | null) => Promise<T>): ConfirmedValue<T> {
    const options = { read, clock, minMs: confirmMs, costFactor: COST_FACTOR };
    return lists.of(name, RANKED, () => createConfirmedValue(options));
  }

  async function readCounts(
    collection: string,
    previous: readonly CategoryCount[] | null,
  ): Promise<readonly CategoryCount[]> {
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
    previous: readonly string[] | null,
  ): Promise<readonly string[]> {
    const where = {
      'view.published': true,
      ...(kind === null ? {} : { 'view.kind': kind }),
      ...(categories === null ? {} : { 'view.category': { in: [...categories] } }),
    };
    const order = ['-view.score.value'];
    const page = await documents.find(collection, { where, order, limit: RANKED, keys: [] });
    const ids = page.documents.map(({ id }) => id);
    const isSame = previous?.length === ids.length && previous.every((id, index) => id === ids[index]);
    return isSame ? previous : ids;
  }
}

function orderOf({ kind, category }: CategoryCount): string {
  return `${kind} ${category ?? ''}`;
}

function isPublished(listing: ConfirmedDocument<ListingView>): listing is PublishedListing {
  return listing.view.published;
}
