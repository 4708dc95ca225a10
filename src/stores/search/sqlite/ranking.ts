import { type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import { FEW, type Plan, planFor, type Wanted } from '../ranking/plan.ts';
import { relevanceBy } from '../ranking/relevance.ts';
import { type Bits, has, intersection, numbersIn } from './bits.ts';
import { Candidates } from './candidates.ts';
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
  const candidates = new Candidates(file, tables);
  const selected = selectionOf(candidates, query);
  const seen = new Set<number>();
  const ids: string[] = [];
  const sql = `SELECT e.id FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value`;
  const groups = groupsOf(file, tables, candidates, planFor(query));
  for (const { numbers, order } of groups) {
    const others = numbers.filter((n) => !seen.has(n) && has(selected, n));
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
  file: SearchFile,
  tables: Tables,
  candidates: Candidates,
  { exact, exactSound, full, otherwise, slips }: Plan,
): Generator<Equals, void> {
  yield { numbers: numbersIn(candidates.keyed('typed', exact)), order: BY_SCORE };
  yield { numbers: numbersIn(candidates.keyed('transliterated', [exactSound])), order: BY_SCORE };
  if (full === null) return;
  const all = byRelevance(candidates, full);
  for (const numbers of all) yield { numbers, order: BY_SPACES };
  if (all.reduce((sum, { length }) => sum + length, 0) >= FEW) return;
  for (const numbers of otherwise.flatMap((wanted) => byRelevance(candidates, wanted))) {
    yield { numbers, order: BY_SPACES };
  }
  for (const numbers of nearMisses(file, tables, slips)) yield { numbers, order: BY_SCORE };
}

/** The entries that have enough of it: those that are equally relevant together, the most relevant first. */
function byRelevance(candidates: Candidates, wanted: Wanted): readonly (readonly number[])[] {
  const relevanceOf = relevanceBy(wanted, (condition) => {
    const fulfilling = candidates.of(condition);
    return (n: number) => has(fulfilling, n);
  });
  const groups = Map.groupBy(candidates.having(wanted), relevanceOf);
  groups.delete(null);
  return [...groups].toSorted(([one], [other]) => (other ?? 0) - (one ?? 0)).map(([, numbers]) => numbers);
}
