import { shippedKnowledge } from '../asking/shipped.ts';
import { understand } from '../asking/understand.ts';
import { type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import { FEW, type Plan, planOf } from '../ranking/plan.ts';
import { and, not } from './conditions.ts';
import { IS_OURS, selection } from './filters.ts';
import { idOf, type List } from './found.ts';
import { namesakes, nearest, ordered } from './ranking.ts';
import {
  alike,
  exactFilters,
  inFull,
  LOOKED_AT,
  matching,
  type Search,
  search,
  tierFilters,
  topFilter,
  wantedFilter,
} from './searches.ts';
import { asked } from './words.ts';

/** Sends searches, and answers what each of them found. */
export type Ask = (searches: readonly Search[]) => Promise<readonly List[]>;

type Answer = Omit<Hits, 'seals'>;

/**
 * Answers a query: with one request where all of the words are matched by so few entries that they can be looked at, else
 * with two, of at most eight searches together.
 */
export async function answer(uid: string, query: SearchQuery, ask: Ask): Promise<Answer> {
  const plan = planOf(query.understood ?? understand(query.q, shippedKnowledge()));
  const selected = selection(query);
  const within = (filter: string, limit: number): Search => search(uid, and([selected, filter]), limit);
  const reach = Math.min(query.offset + query.limit, MAX_TOTAL);
  const full = plan.full === null ? [] : [plan.full];
  const [found = NOTHING_FOUND] = await ask([inFull(within(matching(plan, full), LOOKED_AT))]);
  const page = (ids: readonly string[], total: number): Answer => ({
    ids: [...new Set(ids)].slice(0, reach).slice(query.offset),
    total: Math.min(total, MAX_TOTAL),
    totalIsExact: total <= MAX_TOTAL,
  });
  if (found.total > LOOKED_AT) return page(await longList(plan, within, reach, ask), found.total);
  const all = inOrder(plan, found);
  const isNothingLeftOut = query.exclude.length === 0 && Object.keys(query.filter).length === 0;
  const count = plan.full === null ? FEW : ordered(plan.full, found.hits).length;
  if (count >= FEW) return page(all, found.total);
  const few = await otherwise(uid, plan, { selected, reach, isNothingLeftOut }, ask);
  return few === null ? page(all, found.total) : page([...all, ...few.ids], few.total);
}

const NOTHING_FOUND: List = { hits: [], total: 0 };

function inOrder(plan: Plan, { hits }: List): readonly string[] {
  return [...namesakes(plan, hits), ...(plan.full === null ? [] : ordered(plan.full, hits))];
}

/** Part by part, the most telling first: later ones take in earlier ones, and are of the same order. */
async function longList(
  plan: Plan,
  within: (filter: string, limit: number) => Search,
  reach: number,
  ask: Ask,
): Promise<readonly string[]> {
  const full = plan.full === null ? [] : [plan.full];
  const filters = [...exactFilters(plan), ...full.flatMap(tierFilters), matching(plan, full)];
  const lists = await ask(filters.map((filter) => within(filter, reach)));
  return lists.flatMap(({ hits }) => hits.map(idOf));
}

interface Asked {
  readonly selected: string;
  readonly reach: number;
  readonly isNothingLeftOut: boolean;
}

/** What follows where few entries have all words; null where, without filters and exclusions, enough have. */
async function otherwise(
  uid: string,
  plan: Plan,
  { selected, reach, isNothingLeftOut }: Asked,
  ask: Ask,
): Promise<{ readonly ids: readonly string[]; readonly total: number } | null> {
  const full = plan.full === null ? [] : [plan.full];
  const union = matching(plan, [...full, ...plan.otherwise]);
  const limit = Math.max(LOOKED_AT, reach);
  const lists = plan.otherwise.map((wanted) =>
    inFull(search(uid, and([selected, wantedFilter(wanted)]), limit)),
  );
  const tops = plan.otherwise.map((wanted) => search(uid, and([selected, topFilter(wanted)]), reach));
  const q = asked(plan.slips);
  // Without filters and exclusions: those that have all words.
  const inAll = and([IS_OURS, full.map(wantedFilter)[0] ?? union]);
  const found = await ask([
    ...lists,
    ...tops,
    ...(q === '' ? [] : [alike(uid, q, and([selected, not(union)]))]),
    ...(isNothingLeftOut ? [] : [search(uid, inAll, 0)]),
    // The last one tells the seals too, which are found by filters alone.
    search(uid, and([selected, union]), 0),
  ]);
  if (!isNothingLeftOut && (found.at(-2)?.total ?? 0) >= FEW) return null;
  const near = q === '' ? [] : nearest(plan.slips, found[lists.length + tops.length]?.hits ?? []);
  const ids = plan.otherwise.flatMap((wanted, at) => {
    const list = found[at] ?? NOTHING_FOUND;
    const top = found[plan.otherwise.length + at] ?? NOTHING_FOUND;
    if (list.total <= LOOKED_AT) return ordered(wanted, list.hits);
    return [...top.hits, ...list.hits].map(idOf);
  });
  return { ids: [...ids, ...near], total: (found.at(-1)?.total ?? 0) + near.length };
}
