import { type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import { FEW, type Part, type Plan, planFor, type PlanList } from '../ranking/query-plan.ts';
import { rounded, roundsOf, valueOf } from '../ranking/relevance.ts';
import { addNumbers, type Bits, bitsOf, has, intersection, numbersIn } from './bits.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import type { SearchFile } from './search-file.ts';
import { nearNames } from './near-names.ts';
import type { Tables } from './tables.ts';

/** Entries of one place in the order, by their numbers: they follow one another by score and id. */
interface Equals {
  readonly numbers: readonly number[];
  /** Whether those with fewer spaces in their names come first. */
  readonly bySpaces?: boolean;
}

/**
 * The page of the matches: names equal to the query, then list by list of its plan, each by relevance, score and id. Part of a
 * transaction. Synchronous.
 */
export function rank(file: SearchFile, tables: Tables, query: SearchQuery): Omit<Hits, 'seals'> {
  const reach = Math.min(query.offset + query.limit, MAX_TOTAL);
  const candidates = candidatesOf(file, tables);
  const selected = selectionOf(candidates, query);
  const seen = bitsOf([], candidates.cache.most);
  let total = 0;
  const ids: string[] = [];
  const sql = `SELECT e.id FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value
    ORDER BY e.score DESC, e.id LIMIT ?`;
  const groups = groupsOf(candidates, planFor(query));
  for (const { numbers, bySpaces = false } of groups) {
    const others = numbers.filter((n) => has(selected, n) && !has(seen, n));
    addNumbers(seen, others);
    total += others.length;
    // Scores are looked up for no more entries than it takes, as a letter begins a name of very many; of those behind the page for none.
    const wanted = ids.length < reach ? others : [];
    for (const some of bySpaces ? splitBySpaces(candidates, wanted) : [wanted]) {
      if (ids.length >= reach || some.length === 0) break;
      const rows = file.rows(sql, JSON.stringify(some), reach - ids.length);
      ids.push(...rows.map(([id]) => String(id)));
    }
    if (total > MAX_TOTAL) break;
  }
  return {
    ids: ids.slice(query.offset),
    total: Math.min(total, MAX_TOTAL),
    totalIsExact: total <= MAX_TOTAL,
  };
}

/** Those without spaces in their names first. */
function splitBySpaces({ cache }: Candidates, numbers: readonly number[]): readonly (readonly number[])[] {
  const spaces = cache.spaces(numbers);
  const groups = Map.groupBy(numbers, (n) => spaces[n] ?? 0);
  return [...groups].toSorted(([one], [other]) => one - other).map(([, some]) => some);
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
  yield { numbers: numbersIn(candidates.keyed('typed', exact)) };
  yield { numbers: numbersIn(candidates.keyed('transliterated', [exactSound])) };
  if (full === null) return;
  const found = yield* byRelevance(candidates, full);
  if (found >= FEW) return;
  for (const wanted of otherwise) yield* byRelevance(candidates, wanted);
  for (const numbers of nearNames(candidates, slips)) yield { numbers };
}

/**
 * The entries that have enough of it: those that are equally relevant together, the most relevant first. What the first round was
 * sure of comes again in the last one. Returns how many there are.
 */
function* byRelevance(candidates: Candidates, list: PlanList): Generator<Equals, number> {
  let count = 0;
  for (const { wanted, above } of roundsOf(list)) {
    const numbers = candidates.matching(wanted);
    // Where these are not all that are counted, the last round is needed in any case.
    if (above > 0 && numbers.length <= MAX_TOTAL) continue;
    for (const [relevance, same] of groupByRelevance(candidates, wanted.parts, numbers)) {
      if (relevance > above) yield { numbers: same, bySpaces: true };
    }
    count = numbers.length;
  }
  return count;
}

/** The equally relevant together, the most relevant first: what `relevanceBy` tells of an entry, from sets of entries, for all at once. */
function groupByRelevance(candidates: Candidates, parts: readonly Part[], numbers: readonly number[]) {
  const sums = new Float64Array(numbers.length);
  for (const { weight, evidence, categories } of parts) {
    const ways = evidence.map(({ condition }) => candidates.of(condition));
    const inCategories = categories && candidates.of(categories);
    numbers.forEach((n, at) => {
      const first = evidence[ways.findIndex((having) => has(having, n))];
      const value = valueOf(first, inCategories !== null && has(inCategories, n));
      sums[at] = (sums[at] ?? 0) + weight * value;
    });
  }
  const groups = Map.groupBy(numbers, (_, at) => rounded(sums[at] ?? 0));
  return [...groups].toSorted(([one], [other]) => other - one);
}
