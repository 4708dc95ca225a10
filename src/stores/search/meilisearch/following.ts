import { FEW, type Plan, type Wanted } from '../ranking/plan.ts';
import { and, not, NOTHING, or } from './conditions.ts';
import { IS_OURS } from './filters.ts';
import { type Ask, idOf, type List, NOTHING_FOUND } from './found.ts';
import { nearest, ordered } from './ranking.ts';
import { alike, inFull, LOOKED_AT, type Search, search, topFilter, wantedFilter } from './searches.ts';
import { asked } from './words.ts';

export interface Before {
  /** What equals the query or has all of its parts: all of it. */
  readonly found: List;
  readonly full: Wanted;
  readonly selected: string;
  readonly reach: number;
  readonly isNothingLeftOut: boolean;
}

/**
 * What follows where few entries have all words, and how many there are with those; null where, without filters and exclusions,
 * enough have all. What was found already is counted here, for it is few: each filter that is asked for takes its time.
 */
export async function following(
  uid: string,
  plan: Plan,
  { found, full, selected, reach, isNothingLeftOut }: Before,
  ask: Ask,
): Promise<{ readonly ids: readonly string[]; readonly total: number } | null> {
  const within = (filter: string, limit: number): Search => search(uid, and([selected, filter]), limit);
  const wanted = plan.otherwise;
  const filters = wanted.map(wantedFilter);
  const q = asked(plan.slips);
  const answers = await ask([
    ...filters.map((filter) => inFull(within(filter, Math.max(LOOKED_AT, reach)))),
    ...wanted.map((one) => within(topFilter(one), reach)),
    ...(q === '' ? [] : [alike(uid, q, and([selected, not(or(filters))]))]),
    // Without filters and exclusions: those that have all words.
    ...(isNothingLeftOut ? [] : [search(uid, and([IS_OURS, wantedFilter(full)]), 0)]),
    // The last one tells the seals too, which are found by filters alone; and how many there are where one list does not.
    within(filters.length > 1 ? or(filters) : NOTHING, 0),
  ]);
  if (!isNothingLeftOut && (answers.at(-2)?.total ?? 0) >= FEW) return null;
  const [lists, tops] = [answers, answers.slice(wanted.length)];
  const ids = wanted.flatMap((one, at) => {
    const list = lists[at] ?? NOTHING_FOUND;
    if (list.total <= LOOKED_AT) return ordered(one, list.hits);
    return [...(tops[at]?.hits ?? []), ...list.hits].map(idOf);
  });
  const before = new Set(found.hits.map(idOf));
  const alikes = q === '' ? [] : (answers[2 * wanted.length]?.hits ?? []);
  const near = nearest(plan.slips, alikes).filter((id) => !before.has(id));
  const again = new Set(wanted.flatMap((one) => ordered(one, found.hits)));
  const count = (wanted.length > 1 ? answers.at(-1) : wanted.length === 1 ? lists[0] : null)?.total ?? 0;
  return { ids: [...ids, ...near], total: before.difference(again).size + count + near.length };
}
