import { distanceTo, typedAs } from '../name-distance.ts';
import { type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import { FEW, type Plan, planFor, type PlanList } from '../ranking/query-plan.ts';
import { relevanceBy, spacesIn } from '../ranking/relevance.ts';
import { inTraits, traitsOf } from '../ranking/evaluate-condition.ts';
import { and, IS_OURS, not, NOTHING, or, selection } from './filters.ts';
import {
  alike,
  type Ask,
  exactFilters,
  type Hit,
  inFull,
  leadingFilter,
  type List,
  LOOKED_AT,
  type Search,
  search,
  topFilter,
  wantedFilter,
} from './search-requests.ts';

type Answer = Omit<Hits, 'seals'>;

const NOTHING_FOUND: List = { hits: [], total: 0 };

/**
 * Answers a query by one request where few enough entries have all of its words to be looked at, and no others follow; else by
 * two. The order is made here, by the evaluator of all engines: of a long list that of its most telling entries.
 */
export async function answer(uid: string, query: SearchQuery, ask: Ask): Promise<Answer> {
  const plan = planFor(query);
  const { full, otherwise } = plan;
  const selected = selection(query);
  const within = (filter: string, limit: number): Search => search(uid, and([selected, filter]), limit);
  const reach = Math.min(query.offset + query.limit, MAX_TOTAL);
  const page = (ids: readonly string[], total: number): Answer => ({
    ids: [...new Set(ids)].slice(0, reach).slice(query.offset),
    total: Math.min(total, MAX_TOTAL),
    totalIsExact: total <= MAX_TOTAL,
  });

  const names = exactFilters(plan);
  const named = or(names);
  const matching = full === null ? named : or([named, wantedFilter(full)]);
  const [found = NOTHING_FOUND] = await ask([inFull(within(matching, LOOKED_AT))]);
  if (found.total > LOOKED_AT) {
    // Each by itself: of many that begin with the query those of the best score would leave no room for one that equals it.
    const telling = [...names, leadingFilter(full), full === null ? NOTHING : topFilter(full)];
    const lists = await ask([
      ...telling.map((filter) => inFull(within(filter, LOOKED_AT))),
      within(matching, reach),
    ]);
    const looked = lists.slice(0, telling.length).flatMap(({ hits }) => hits);
    const all = lists.at(-1) ?? NOTHING_FOUND;
    return page([...namesakes(plan, looked), ...ordered(full, looked), ...idsOf(all)], found.total);
  }
  const inFullOrder = ordered(full, found.hits);
  const first = [...namesakes(plan, found.hits), ...inFullOrder];
  if (full === null || inFullOrder.length >= FEW) return page(first, found.total);

  // Each filter that is asked for takes its time: what was found already is counted here, for it is few.
  const filters = otherwise.map(wantedFilter);
  const isNothingLeftOut = query.exclude.length === 0 && Object.keys(query.filter).length === 0;
  // The last one tells the seals too, which are found by filters alone.
  const [fully = NOTHING_FOUND, alikes = NOTHING_FOUND, ...lists] = await ask([
    // Filters and exclusions select from what follows, and do not make it follow.
    search(uid, isNothingLeftOut ? NOTHING : and([IS_OURS, wantedFilter(full)]), 0),
    alike(uid, plan.slips.join(' '), and([selected, not(or(filters))])),
    ...otherwise.map((wanted) => inFull(within(topFilter(wanted), LOOKED_AT))),
    ...filters.map((filter) => inFull(within(filter, Math.max(LOOKED_AT, reach)))),
    within(or(filters), 0),
  ]);
  if (fully.total >= FEW) return page(first, found.total);
  const following = otherwise.flatMap((wanted, at) => {
    const [top = NOTHING_FOUND, all = NOTHING_FOUND] = [lists[at], lists[otherwise.length + at]];
    const looked = all.total <= LOOKED_AT ? all : top;
    return [...ordered(wanted, looked.hits), ...idsOf(all)];
  });
  const before = new Set(idsOf(found));
  const near = nearest(plan.slips, alikes.hits).filter((id) => !before.has(id));
  const again = new Set(otherwise.flatMap((wanted) => ordered(wanted, found.hits)));
  const total = before.difference(again).size + (lists.at(-1)?.total ?? 0) + near.length;
  return page([...first, ...following, ...near], total);
}

function idsOf({ hits }: List): readonly string[] {
  return hits.map(({ id }) => id);
}

/** Of these entries those that have enough of what is wanted, the most relevant first. */
function ordered(wanted: PlanList | null, hits: readonly Hit[]): readonly string[] {
  const relevanceOf = wanted && relevanceBy(wanted, inTraits);
  return hits
    .flatMap((hit) => {
      const relevance = hit.described && relevanceOf ? relevanceOf(traitsOf(hit.described)) : null;
      return relevance === null ? [] : [{ ...hit, relevance, spaces: spacesIn(soundsOf(hit)) }];
    })
    .toSorted(
      (one, other) => other.relevance - one.relevance || one.spaces - other.spaces || byScore(one, other),
    )
    .map(({ id }) => id);
}

function soundsOf(hit: Hit): readonly string[] {
  return hit.sound_names ?? [];
}

function byScore(one: Hit, other: Hit): number {
  return other.score - one.score || (one.id < other.id ? -1 : 1);
}

/** Those with a name equal to the query, as typed before as heard. */
function namesakes({ exact, exactSound }: Plan, hits: readonly Hit[]): readonly string[] {
  const all = hits.toSorted(byScore);
  const typed = all.filter((hit) => hit.described?.exact.some((name) => exact.includes(name)));
  const heard = all.filter((hit) => soundsOf(hit).includes(exactSound));
  return [...typed, ...heard].map(({ id }) => id);
}

/** Those with a name that could have been meant, the nearest first. */
function nearest(words: readonly string[], hits: readonly Hit[]): readonly string[] {
  const typed = typedAs(words.join(' '));
  return hits
    .flatMap((hit) => {
      const distance = distanceTo(typed, soundsOf(hit).join('\n'));
      return distance === null ? [] : [{ ...hit, distance }];
    })
    .toSorted((one, other) => one.distance - other.distance || byScore(one, other))
    .map(({ id }) => id);
}
