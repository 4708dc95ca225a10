import { nameKey } from '../../../platform/text/search-text.ts';
import { distanceTo } from '../edits.ts';
import type { Plan, PlanList } from '../ranking/plan.ts';
import { type PartMatch, hadBy, relevanceBy } from '../ranking/relevance.ts';
import { inTraits } from '../ranking/traits.ts';
import type { PlacedEntry, ReadEntry } from './placed-entry.ts';

/** The lists of a plan, as they follow one another. */
export type ListName = 'name' | 'all' | 'other_reading' | 'some' | 'slips';

/** Why an entry stands where it does. */
export interface MatchExplanation {
  /** The first list that it belongs to: that is where it stands. */
  readonly list: ListName;
  /** The numbers of the names that equal the query. */
  readonly names: readonly number[];
  /** The sum of its parts, of the first list of words that it belongs to; null where it belongs to no list of words. */
  readonly relevance: number | null;
  readonly parts: readonly PartMatch[];
  /** How far its names are from the query, where slips alone explain it; else null. */
  readonly distance: number | null;
}

/** Null where the entry, as it is now, does not match. Pure. */
export function explained(plan: Plan, read: ReadEntry, entry: PlacedEntry): MatchExplanation | null {
  const names = namesakes(plan, read, entry);
  const lists: readonly (readonly [ListName, PlanList])[] = [
    ...(plan.full === null ? [] : [['all', plan.full] as const]),
    ...plan.otherwise.map((wanted) => [wanted.share === 1 ? 'other_reading' : 'some', wanted] as const),
  ];
  for (const [list, wanted] of lists) {
    const relevance = relevanceBy(wanted, inTraits)(entry);
    if (relevance === null) continue;
    const parts = wanted.parts.map((part) => hadBy(part, inTraits)(entry));
    return { list: names.length > 0 ? 'name' : list, names, relevance, parts, distance: null };
  }
  const none = { names, relevance: null, parts: [] };
  if (names.length > 0) return { list: 'name', ...none, distance: null };
  const distance = distanceTo(
    plan.slips,
    entry.sounds.map((name) => name.trim()),
  );
  return plan.slips.length === 0 || distance === null ? null : { list: 'slips', ...none, distance };
}

/** The names that equal the query, as typed or by their sound. */
function namesakes({ exact, exactSound }: Plan, { texts }: ReadEntry, { sounds }: PlacedEntry): number[] {
  return texts.flatMap(({ isName, text }, at) => {
    if (!isName) return [];
    const isHeardAs = exactSound !== '' && sounds[at] === ` ${exactSound} `;
    return isHeardAs || exact.includes(nameKey(text)) ? [at] : [];
  });
}
