import { FEW, type Plan, type Wanted } from '../ranking/plan.ts';
import { and, IS_OURS, not, NOTHING, or } from './filters.ts';
import { type Ask, type List, NOTHING_FOUND } from './found.ts';
import { nearest, ordered } from './ranking.ts';
import { alike, inFull, LOOKED_AT, type Search, search, topFilter, wantedFilter } from './searches.ts';
import { asked } from './searchable-words.ts';

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
  // The last one tells the seals too, which are found by filters alone.
  const [fully = NOTHING_FOUND, alikes = NOTHING_FOUND, ...lists] = await ask([
    // Without filters and exclusions: those that have all words.
    search(uid, isNothingLeftOut ? NOTHING : and([IS_OURS, wantedFilter(full)]), 0),
    alike(uid, asked(plan.slips), and([selected, not(or(filters))])),
    ...wanted.map((one) => within(topFilter(one), reach)),
    ...filters.map((filter) => inFull(within(filter, Math.max(LOOKED_AT, reach)))),
    within(or(filters), 0),
  ]);
  if (fully.total >= FEW) return null;
  const ids = wanted.flatMap((one, at) => {
    const [top = NOTHING_FOUND, list = NOTHING_FOUND] = [lists[at], lists[wanted.length + at]];
    if (list.total <= LOOKED_AT) return ordered(one, list.hits);
    return [...top.hits, ...list.hits].map(({ id }) => id);
  });
  const before = new Set(found.hits.map(({ id }) => id));
  const near = nearest(plan.slips, alikes.hits).filter((id) => !before.has(id));
  const again = new Set(wanted.flatMap((one) => ordered(one, found.hits)));
  const total = before.difference(again).size + (lists.at(-1)?.total ?? 0) + near.length;
  return { ids: [...ids, ...near], total };
}
