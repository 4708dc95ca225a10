import { type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import { FEW, type Plan, planFor } from '../ranking/plan.ts';
import { and, selection } from './filters.ts';
import { following } from './following.ts';
import { type Ask, type List, NOTHING_FOUND } from './found.ts';
import { namesakes, ordered } from './ranking.ts';
import { exactFilters, inFull, LOOKED_AT, matching, type Search, search, tierFilters } from './searches.ts';

type Answer = Omit<Hits, 'seals'>;

/** So many entries of the first answer are fetched whole, and more only where they will be looked at: most of its time is theirs. */
const GLANCED_AT = 25;

/**
 * Answers a query: with one request where all of the words are matched by very few entries, else with two, of at most eight
 * searches together. Only where more entries than are glanced at sound like a word of two letters that is in none of their
 * names, a third one asks for what follows.
 */
export async function answer(uid: string, query: SearchQuery, ask: Ask): Promise<Answer> {
  const plan = planFor(query);
  const selected = selection(query);
  const within = (filter: string, limit: number): Search => search(uid, and([selected, filter]), limit);
  const reach = Math.min(query.offset + query.limit, MAX_TOTAL);
  const full = plan.full === null ? [] : [plan.full];
  const inAnyWay = (limit: number): Search => inFull(within(matching(plan, full), limit));
  const page = (ids: readonly string[], total: number): Answer => ({
    ids: [...new Set(ids)].slice(0, reach).slice(query.offset),
    total: Math.min(total, MAX_TOTAL),
    totalIsExact: total <= MAX_TOTAL,
  });
  const [glance = NOTHING_FOUND] = await ask([inAnyWay(GLANCED_AT)]);
  if (glance.total > LOOKED_AT) return page(await longList(plan, glance, within, reach, ask), glance.total);
  const isWhole = glance.hits.length >= glance.total;
  // As many as there are by now: the index may have grown.
  const [found = NOTHING_FOUND] = isWhole ? [glance] : await ask([inAnyWay(MAX_TOTAL)]);
  const all = inOrder(plan, found);
  const isNothingLeftOut = query.exclude.length === 0 && Object.keys(query.filter).length === 0;
  if (plan.full === null || ordered(plan.full, found.hits).length >= FEW) return page(all, found.total);
  const before = { found, full: plan.full, selected, reach, isNothingLeftOut };
  const more = await following(uid, plan, before, ask);
  return more === null ? page(all, found.total) : page([...all, ...more.ids], more.total);
}

function inOrder(plan: Plan, { hits }: List): readonly string[] {
  return [...namesakes(plan, hits), ...(plan.full === null ? [] : ordered(plan.full, hits))];
}

/** Part by part, the most telling first: later ones take in earlier ones, and are of the same order. */
async function longList(
  plan: Plan,
  glance: List,
  within: (filter: string, limit: number) => Search,
  reach: number,
  ask: Ask,
): Promise<readonly string[]> {
  const full = plan.full === null ? [] : [plan.full];
  const tiers = [...exactFilters(plan), ...full.flatMap(tierFilters)];
  // The last list is that of all, by score: its beginning is known.
  const isKnown = glance.hits.length >= reach;
  const filters = isKnown ? tiers : [...tiers, matching(plan, full)];
  const lists = await ask(filters.map((filter) => within(filter, reach)));
  return [...lists, ...(isKnown ? [glance] : [])].flatMap(({ hits }) => hits.map(({ id }) => id));
}
