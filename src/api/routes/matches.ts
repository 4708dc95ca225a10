import { searchedTexts } from '../../../projections/listings/search.ts';
import { type Match, matchesOf } from '../../stores/search/matches/matches.ts';
import { planOf } from '../../stores/search/ranking/plan.ts';
import type { Understood } from '../../stores/search/asking/understood.ts';
import type { PublishedListing } from '../reading/listings.ts';

/** What of each entry matched: computed from the documents, and so the same whatever engine found them. Pure. */
export function matchesIn(
  entries: readonly PublishedListing[],
  understood: Understood,
): ReadonlyMap<string, readonly Match[]> {
  const plan = planOf(understood);
  return new Map(
    entries.map(({ id, view }) => {
      const { kind, category } = view;
      return [id, matchesOf(plan, { kind, category, texts: searchedTexts(view) })];
    }),
  );
}
