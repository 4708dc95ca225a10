import { type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import { FEW, type Plan, planFor, type PlanList } from '../ranking/query-plan.ts';
import { relevanceBy, roundsOf } from '../ranking/relevance.ts';
import { type Bits, has, intersection, numbersIn } from './bits.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import type { SearchFile } from './search-file.ts';
import { nearMisses } from './near-misses.ts';
import type { Tables } from './tables.ts';

/** Entries of one place in the order, by their numbers, and how they follow one another. */
interface Equals {
  readonly numbers: readonly number[];
  readonly order: typeof BY_SCORE | typeof BY_SPACES;
}

const BY_SCORE = 'e.score DESC, e.id';
const BY_SPACES = `e.spaces, ${BY_SCORE}`;

/**
 * The page of the matches: names equal to the query, then list by list of its plan, each by relevance, score and id. Part of a
 * transaction. Synchronous.
 */
export function rank(file: SearchFile, tables: Tables, query: SearchQuery): Omit<Hits, 'seals'> {
  const reach = Math.min(query.offset + query.limit, MAX_TOTAL);
  const candidates = candidatesOf(file, tables);
  const selected = selectionOf(candidates, query);
  const seen = new Set<number>();
  const ids: string[] = [];
  const sql = `SELECT e.id FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value`;
  const groups = groupsOf(candidates, planFor(query));
  for (const { numbers, order } of groups) {
    const others = numbers.filter((n) => has(selected, n) && !seen.has(n));
    for (const n of others) seen.add(n);
    if (others.length > 0 && ids.length < reach) {
      const rows = file.rows(`${sql} ORDER BY ${order} LIMIT ?`, JSON.stringify(others), reach - ids.length);
      ids.push(...rows.map(([id]) => String(id)));
    }
    if (seen.size > MAX_TOTAL) break;
  }
  return {
    ids: ids.slice(query.offset),
    total: Math.min(seen.size, MAX_TOTAL),
    totalIsExact: seen.size <= MAX_TOTAL,
  };
}

function selectionOf(candidates: Candidates, { filter, exclude }: SearchQuery): Bits {
  return [
    ...(filter.kind === undefined ? [] : [candidates.keyed('kind', [filter.kind])]),
    ...(filter.categories === undefined ? [] : [candidates.keyed('category', filter.categories)]),
  ].reduce(intersection, candidates.allBut(exclude));
}

/** Those of the whole index: filters and exclusions select from them, and must not bring others in. */
function* groupsOf(
  candidates: Candidates,
  { exact, exactSound, full, otherwise, slips }: Plan,
): Generator<Equals, void> {
  yield { numbers: numbersIn(candidates.keyed('typed', exact)), order: BY_SCORE };
  yield { numbers: numbersIn(candidates.keyed('transliterated', [exactSound])), order: BY_SCORE };
  if (full === null) return;
  const found = yield* byRelevance(candidates, full);
  if (found >= FEW) return;
  for (const wanted of otherwise) yield* byRelevance(candidates, wanted);
  for (const numbers of nearMisses(candidates, slips)) yield { numbers, order: BY_SCORE };
}

/**
 * The entries that have enough of it: those that are equally relevant together, the most relevant first. What an early round was
 * sure of comes again in the last one. Returns how many there are.
 */
function* byRelevance(candidates: Candidates, list: PlanList): Generator<Equals, number> {
  let count = 0;
  for (const { wanted, above } of roundsOf(list)) {
    const numbers = candidates.having(wanted);
    // Where these are not all that are counted, the later rounds are needed in any case.
    if (above > 0 && numbers.length <= MAX_TOTAL) continue;
    const relevanceOf = relevanceBy(wanted, (condition) => {
      const fulfilling = candidates.of(condition);
      return (n: number) => has(fulfilling, n);
    });
    const groups = [...Map.groupBy(numbers, (n) => relevanceOf(n) ?? -Infinity)]
      .filter(([relevance]) => relevance > above)
      .toSorted(([one], [other]) => other - one);
    for (const [, same] of groups) yield { numbers: same, order: BY_SPACES };
    count = groups.reduce((sum, [, { length }]) => sum + length, 0);
  }
  return count;
}
