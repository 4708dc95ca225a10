import { FEW, type Plan, type Wanted } from '../ranking/plan.ts';
import { and, not, NOTHING, or } from './conditions.ts';
import { IS_OURS } from './filters.ts';
import { type Ask, type List, NOTHING_FOUND } from './found.ts';
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
  const lists = await askByName(ask, {
    whole: filters.map((filter) => inFull(within(filter, Math.max(LOOKED_AT, reach)))),
    tops: wanted.map((one) => within(topFilter(one), reach)),
    alikes: q === '' ? [] : [alike(uid, q, and([selected, not(or(filters))]))],
    // Without filters and exclusions: those that have all words.
    full: isNothingLeftOut ? [] : [search(uid, and([IS_OURS, wantedFilter(full)]), 0)],
    // The last one tells the seals too, which are found by filters alone; and how many there are where one list does not.
    any: [within(filters.length > 1 ? or(filters) : NOTHING, 0)],
  });
  if (lists.full.some(({ total }) => total >= FEW)) return null;
  const ids = wanted.flatMap((one, at) => {
    const list = lists.whole[at] ?? NOTHING_FOUND;
    if (list.total <= LOOKED_AT) return ordered(one, list.hits);
    return [...(lists.tops[at]?.hits ?? []), ...list.hits].map(({ id }) => id);
  });
  const before = new Set(found.hits.map(({ id }) => id));
  const alikes = lists.alikes.flatMap(({ hits }) => hits);
  const near = nearest(plan.slips, alikes).filter((id) => !before.has(id));
  const again = new Set(wanted.flatMap((one) => ordered(one, found.hits)));
  const [counted = NOTHING_FOUND] = wanted.length > 1 ? lists.any : lists.whole;
  const total = before.difference(again).size + counted.total + near.length;
  return { ids: [...ids, ...near], total };
}

/** Asks for all of them in one request, in this order, and gives the lists back by the names of what they answer. */
async function askByName<Name extends string>(
  ask: Ask,
  searches: Readonly<Record<Name, readonly Search[]>>,
): Promise<Readonly<Record<Name, readonly List[]>>> {
  const names = Object.keys(searches) as Name[];
  const lists = await ask(names.flatMap((name) => searches[name]));
  const named = {} as Record<Name, readonly List[]>;
  let at = 0;
  for (const name of names) {
    const end = at + searches[name].length;
    named[name] = lists.slice(at, end);
    at = end;
  }
  return named;
}
