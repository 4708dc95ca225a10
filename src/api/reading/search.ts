import { RetryableError } from '../../platform/errors.ts';
import { after, afterBoth, type Soon } from '../../platform/soon.ts';
import { afterOthers } from '../../platform/turn.ts';
import { filterOf, type EntryFilter, type FilterChoice } from './filter.ts';
import type { Reading, TaxonomySnapshot } from './reading.ts';
import type { HitsAsked, PageOfHits } from './hits.ts';
import type { PublishedListing } from './listings.ts';

/** One page of the entries that match, in the order of the index, and how many match. */
export interface Found {
  readonly entries: readonly PublishedListing[];
  /** Counted up to 2,500. */
  readonly total: number;
  /** False where more than 2,500 match. */
  readonly totalIsExact: boolean;
  readonly taxonomy: TaxonomySnapshot;
}

export type SearchAsked = FilterChoice & Pick<HitsAsked, 'keyId' | 'yields' | 'q' | 'page' | 'limit'>;

type SearchReading = Pick<Reading, 'live' | 'taxonomy' | 'hits' | 'hitsWithout' | 'published'>;

/** How often a page is asked for again because some of its hits are gone; then it is shown without them. */
const ATTEMPTS = 5;

/**
 * The index says which entries match, the documents say what they are. Hits that are gone, or no longer of the kind or
 * category asked for, are dropped, and the page is asked for again without them: so it stays full, and the total is
 * that of what can be listed.
 */
export function readSearch(reading: SearchReading, asked: SearchAsked): Soon<Found> {
  return afterBoth(reading.live('listings'), reading.taxonomy(), ({ collection, index }, taxonomy) => {
    if (index === null) throw new RetryableError(`${collection} has no search index yet`);
    const { keyId, yields = false, q, page, limit } = asked;
    const filter = filterOf(asked, taxonomy);
    const place = { collection, index, keyId, yields, q, filter, taxonomy, page, limit };
    return after(reading.hits(place), (hits) => hydrated(reading, place, { hits, attempt: 1, taxonomy }));
  });
}

interface Hydrating {
  readonly hits: PageOfHits;
  readonly attempt: number;
  readonly taxonomy: TaxonomySnapshot;
}

function hydrated(
  reading: SearchReading,
  place: HitsAsked,
  { hits, attempt, taxonomy }: Hydrating,
): Soon<Found> {
  const { ids, total, totalIsExact } = hits;
  return after(afterOthers(reading.published(place.collection, ids)), (published): Soon<Found> => {
    const { entries, dropped } = confront(ids, published, place.filter);
    if (dropped.size > 0 && attempt < ATTEMPTS) {
      return after(reading.hitsWithout(dropped, hits, place), (others) =>
        hydrated(reading, place, { hits: others, attempt: attempt + 1, taxonomy }),
      );
    }
    // Where more match than are counted, others take the places of those dropped.
    return { entries, total: totalIsExact ? total - dropped.size : total, totalIsExact, taxonomy };
  });
}

/** The hits as they are now, in their order, and those that no longer belong here. */
function confront(
  ids: readonly string[],
  published: ReadonlyMap<string, PublishedListing>,
  { matches }: EntryFilter,
): {
  readonly entries: readonly PublishedListing[];
  readonly dropped: ReadonlyMap<string, PublishedListing | null>;
} {
  const entries: PublishedListing[] = [];
  const dropped = new Map<string, PublishedListing | null>();
  for (const id of ids) {
    const entry = published.get(id) ?? null;
    if (entry && matches(entry.view)) entries.push(entry);
    else dropped.set(id, entry);
  }
  return { entries, dropped };
}
