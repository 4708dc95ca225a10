import { totalOf } from './category-tree.ts';
import { filterOf, type FilterChoice } from './entry-filter.ts';
import type { CatalogReader } from './catalog-reader.ts';
import type { PublishedListing } from './listing-queries.ts';

export type Top = Awaited<ReturnType<typeof readTop>>;

export interface TopFilter extends FilterChoice {
  readonly limit: number;
}

type TopReading = Pick<CatalogReader, 'live' | 'taxonomy' | 'ranking' | 'counts' | 'published'>;

/** How often a list that contradicts its total is read again before it is shown as it is: entries come and go. */
const ATTEMPTS = 3;

/**
 * The leading entries by score, and how many match in all, by the counts that `/categories` shows; a list that is not full
 * counts what it lists.
 * The ranking is a little behind, the documents are not: an entry that has left since is dropped, one that has moved is
 * moved. Where one has left, or list and total contradict each other, both are read again.
 */
export async function readTop(reading: TopReading, asked: TopFilter) {
  const [{ collection }, taxonomy] = await Promise.all([reading.live('listings'), reading.taxonomy()]);
  const filter = filterOf(asked, taxonomy);
  const { limit } = asked;
  const ranking = reading.ranking(collection, filter);
  const counts = reading.counts(collection);
  let read = [ranking.current(), counts.current()] as const;
  for (let attempt = 1; ; attempt += 1) {
    const [slugs, counted] = await Promise.all(read);
    const first = await matching(slugs.slice(0, limit));
    const isWhole = first.length === Math.min(limit, slugs.length);
    // Where one that stood among the first has left, others take its place.
    const entries = isWhole ? first : (await matching(slugs)).slice(0, limit);
    const total = totalOf(counted.filter(filter.matches));
    const agrees = isWhole && entries.length === Math.min(limit, total);
    if (agrees || attempt === ATTEMPTS) {
      // No ranking is cut within what may be asked for, so one that is not longer has all that there is.
      const isAll = slugs.length <= limit && entries.length < limit;
      return { entries, total: isAll ? entries.length : Math.max(total, entries.length), taxonomy };
    }
    read = [ranking.renewed(), counts.renewed()];
  }

  /** Of these, the entries that belong to the list now. */
  async function matching(slugs: readonly string[]): Promise<readonly PublishedListing[]> {
    const found = await reading.published(collection, slugs);
    return [...found.values()].filter(({ view }) => filter.matches(view)).sort(byScore);
  }
}

/** By the published score, then by slug: a total order. */
export function byScore(a: PublishedListing, b: PublishedListing): number {
  if (a.view.score.value !== b.view.score.value) return b.view.score.value - a.view.score.value;
  return a.id < b.id ? -1 : 1;
}
