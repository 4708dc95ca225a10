import { setImmediate as nextTurn } from 'node:timers/promises';

import { searchedTexts } from '../../../projections/listings/search.ts';
import { type Match, matchesOf } from '../../stores/search/matches/matches.ts';
import { planOf } from '../../stores/search/ranking/plan.ts';
import type { ParsedQuery } from '../../stores/search/query/parsed-query.ts';
import type { PublishedListing } from '../reading/listings.ts';

/** By slug. */
export type MatchesOf = ReadonlyMap<string, readonly Match[]>;

/**
 * What of each entry matched: computed from the documents, and so the same whatever engine found them. The longest texts take
 * some 5 ms an entry: others are answered in between.
 */
export async function matchesIn(
  entries: readonly PublishedListing[],
  understood: ParsedQuery,
): Promise<MatchesOf> {
  const plan = planOf(understood);
  const matches = new Map<string, readonly Match[]>();
  for (const { id, view } of entries) {
    const { kind, subtype, category } = view;
    matches.set(id, matchesOf(plan, { kind, subtype, category, texts: searchedTexts(view) }));
    await nextTurn();
  }
  return matches;
}
