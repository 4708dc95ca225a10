import { RetryableError } from '../../platform/errors.ts';
import { filterOf, type EntryFilter, type FilterChoice } from './entry-filter.ts';
import type { Hits } from '../../stores/search/port.ts';
import type { CatalogReader, TaxonomySnapshot } from './catalog-reader.ts';
import type { HitsRequest } from './hit-page-cache.ts';
import type { PublishedListing } from './listing-queries.ts';

/** One page of the entries that match, in the order of the index, and how many match. */
export interface SearchPage extends Pick<Hits, 'total' | 'totalIsExact'> {
  readonly entries: readonly PublishedListing[];
  readonly taxonomy: TaxonomySnapshot;
}

export type SearchRequest = FilterChoice & Pick<HitsRequest, 'keyId' | 'yields' | 'q' | 'page' | 'limit'>;

type SearchReading = Pick<CatalogReader, 'live' | 'taxonomy' | 'hits' | 'hitsWithout' | 'published'>;

/** How often a page is asked for again because some of its hits are gone; then it is shown without them. */
const ATTEMPTS = 5;

/**
 * The index says which entries match, the documents say what they are. Hits that are gone, or no longer of the kind or
 * category asked for, are dropped, and the page is asked for again without them: so it stays full, and the total is
 * that of what can be listed.
 */
export async function readSearch(reading: SearchReading, asked: SearchRequest): Promise<SearchPage> {
  const [{ collection, index }, taxonomy] = await Promise.all([reading.live('listings'), reading.taxonomy()]);
  if (index === null) throw new RetryableError(`${collection} has no search index yet`);
  const { keyId, yields = false, q, page, limit } = asked;
  const filter = filterOf(asked, taxonomy);
  const place = { collection, index, keyId, yields, q, filter, taxonomy, page, limit };
  let hits = await reading.hits(place);
  for (let attempt = 1; ; attempt += 1) {
    const { ids, total, totalIsExact } = hits;
    const { entries, dropped } = confront(ids, await reading.published(collection, ids), filter);
    // Where more match than are counted, others take the places of those dropped.
    const found = { entries, total: totalIsExact ? total - dropped.size : total, totalIsExact, taxonomy };
    if (dropped.size === 0 || attempt === ATTEMPTS) return found;
    hits = await reading.hitsWithout(dropped, hits, place);
  }
}

/** The hits as they are now, in their order, and those that no longer belong here. */
function confront(
  ids: readonly string[],
  published: ReadonlyMap<string, PublishedListing>,
  { matches }: EntryFilter,
) {
  const entries: PublishedListing[] = [];
  const dropped = new Map<string, PublishedListing | null>();
  for (const id of ids) {
    const entry = published.get(id) ?? null;
    if (entry && matches(entry.view)) entries.push(entry);
    else dropped.set(id, entry);
  }
  return { entries, dropped };
}
