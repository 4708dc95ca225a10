import { after, afterBoth, type Soon } from '../../platform/soon.ts';
import type { CategoryCount } from './category-tree.ts';
import { filterOf, type EntryFilter, type FilterChoice } from './filter.ts';
import type { Reading, TaxonomySnapshot } from './reading.ts';
import type { PublishedListing } from './listings.ts';

/** The leading entries by score, and how many there are. */
export interface Top {
  readonly entries: readonly PublishedListing[];
  /** Of all that match, not only of those listed; from the counts that `/categories` shows. */
  readonly total: number;
  readonly taxonomy: TaxonomySnapshot;
}

export interface TopFilter extends FilterChoice {
  readonly limit: number;
}

type TopReading = Pick<Reading, 'live' | 'taxonomy' | 'ranking' | 'counts' | 'published'>;

/** How often a list that contradicts its total is read again before it is shown as it is: entries come and go. */
const ATTEMPTS = 3;

/**
 * The ranking is a little behind, the documents are not: an entry that has left since is dropped, one that has moved is
 * moved. Where one has left, or list and total contradict each other, both are read again.
 */
export function readTop(reading: TopReading, asked: TopFilter): Soon<Top> {
  return afterBoth(reading.live('listings'), reading.taxonomy(), ({ collection }, taxonomy) =>
    read(reading, { collection, filter: filterOf(asked, taxonomy), limit: asked.limit, taxonomy }, 1),
  );
}

interface Wanted {
  readonly collection: string;
  readonly filter: EntryFilter;
  readonly limit: number;
  readonly taxonomy: TaxonomySnapshot;
}

function read(reading: TopReading, wanted: Wanted, attempt: number): Soon<Top> {
  const { collection, filter, limit, taxonomy } = wanted;
  const ranking = reading.ranking(collection, filter);
  const counts = reading.counts(collection);
  const isFirst = attempt === 1;
  return afterBoth(
    isFirst ? ranking.current() : ranking.renewed(),
    isFirst ? counts.current() : counts.renewed(),
    (slugs, counted) =>
      after(hydrate(reading, wanted, slugs), ({ entries, isWhole }): Soon<Top> => {
        const total = totalOf(counted.filter(filter.matches));
        const agrees = isWhole && entries.length === Math.min(limit, total);
        if (!agrees && attempt < ATTEMPTS) return read(reading, wanted, attempt + 1);
        return { entries, total: Math.max(total, entries.length), taxonomy };
      }),
  );
}

/** The ranked entries as they are now; not `isWhole` where one that stood among the first has left. */
function hydrate(
  reading: TopReading,
  { collection, limit, filter: { matches } }: Wanted,
  slugs: readonly string[],
): Soon<{ readonly entries: readonly PublishedListing[]; readonly isWhole: boolean }> {
  return after(reading.published(collection, slugs.slice(0, limit)), (asked) => {
    const first = [...asked.values()].filter(({ view }) => matches(view));
    const isWhole = first.length === Math.min(limit, slugs.length);
    if (isWhole) return { entries: first.sort(byScore), isWhole };
    return after(reading.published(collection, slugs), (rest) => {
      const all = [...rest.values()].filter(({ view }) => matches(view)).sort(byScore);
      return { entries: all.slice(0, limit), isWhole };
    });
  });
}

function totalOf(counts: readonly CategoryCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** By the published score, then by slug: a total order. */
export function byScore(a: PublishedListing, b: PublishedListing): number {
  if (a.view.score.value !== b.view.score.value) return b.view.score.value - a.view.score.value;
  return a.id < b.id ? -1 : 1;
}
