import type { MatchCondition } from './match-condition.ts';
import { type Evidence, IN_CATEGORY } from './conditions-of-concept.ts';
import type { What } from './match-way-values.ts';
import { countedParts, leastWeightOf, type Part, type PlanList } from './query-plan.ts';

/** How much an entry has of what is wanted: the same for all engines, however each knows its entries. Pure. */

/** Tells whether entries fulfil a condition: made once, and asked of many of them. */
export type Test<Entry> = (condition: MatchCondition) => (entry: Entry) => boolean;

/** What an entry has of one part. */
export interface PartMatch {
  readonly part: Part;
  /** Null where it has nothing of it. */
  readonly what: What | null;
  readonly isInCategory: boolean;
  readonly value: number;
}

/** The relevance of an entry; null where it does not match. */
export function relevanceBy<Entry>(wanted: PlanList, test: Test<Entry>): (entry: Entry) => number | null {
  const counted = new Set(countedParts(wanted));
  const parts = wanted.parts.map((part) => ({
    part,
    isCounted: counted.has(part),
    hadOf: hadBy(part, test),
  }));
  const beside = wanted.beside?.map(test);
  const least = leastWeightOf(wanted);
  return (entry) => {
    if (beside?.every((isFulfilled) => !isFulfilled(entry))) return null;
    let sum = 0;
    let weight = 0;
    for (const { part, isCounted, hadOf } of parts) {
      const { what, value } = hadOf(entry);
      sum += part.weight * value;
      if (isCounted && what !== null) weight += part.weight;
    }
    return weight >= least ? rounded(sum) : null;
  };
}

/** A part of a list: what it asks for, and what the relevance of an entry must exceed to be the last word on it. */
interface Round {
  readonly wanted: PlanList;
  readonly above: number;
}

/** How much the ways of the first round tell at least: most of what is in a name. */
const LEAST_OF_FIRST = 4.5;

/**
 * A list in two rounds: the first asks for the ways that tell the most, the last one for all. What exceeds the bound of the first
 * is as relevant as it ever will be, and more than all that only the last one finds.
 */
export function roundsOf(wanted: PlanList): readonly Round[] {
  const last = { wanted, above: -Infinity };
  // Who has some of the parts may have the others in ways that tell less.
  return wanted.share === 1 ? [firstRound(wanted), last] : [last];
}

function firstRound(wanted: PlanList): Round {
  const parts = wanted.parts.map((part) => {
    const count = part.evidence.findLastIndex(({ value }) => value >= LEAST_OF_FIRST) + 1;
    return { ...part, evidence: part.evidence.slice(0, count), others: part.evidence.slice(count) };
  });
  const most = wanted.parts.map((part) => mostOf(part, part.evidence));
  const sum = most.reduce((sofar, one) => sofar + one, 0);
  const bounds = parts.map((part, at) => sum - (most[at] ?? 0) + mostOf(part, part.others));
  return { wanted: { ...wanted, parts }, above: rounded(Math.max(...bounds)) };
}

/** What a part adds to the relevance of an entry at most that has it in one of these ways. */
function mostOf({ weight, categories }: Part, evidence: readonly Evidence[]): number {
  return weight * (Math.max(...evidence.map(({ value }) => value)) + (categories === null ? 0 : IN_CATEGORY));
}

export function hadBy<Entry>(part: Part, test: Test<Entry>): (entry: Entry) => PartMatch {
  const ways = part.evidence.map((evidence) => ({ evidence, isHad: test(evidence.condition) }));
  const isThere = part.categories === null ? () => false : test(part.categories);
  return (entry) => {
    const evidence = ways.find(({ isHad }) => isHad(entry))?.evidence;
    const isInCategory = isThere(entry);
    return { part, what: evidence?.what ?? null, isInCategory, value: valueOf(evidence, isInCategory) };
  };
}

/** What the most telling way is worth, if there is one. Who has nothing but the category has it once. */
export function valueOf(evidence: Evidence | undefined, isInCategory: boolean): number {
  if (evidence === undefined) return 0;
  return isInCategory && evidence.what !== 'the category' ? evidence.value + IN_CATEGORY : evidence.value;
}

/** Sums in another order may differ by less than a millionth. */
export function rounded(sum: number): number {
  return Math.round(sum * 1e6) / 1e6;
}

/** More spaces are not told apart. */
const MOST_SPACES = 4;

/**
 * The spaces in the names of an entry, as they sound. Of entries that are equally relevant those come first whose names say the
 * least beside what is sought: with fewer of them.
 */
export function spacesIn(names: readonly string[]): number {
  return Math.min(
    MOST_SPACES,
    names.reduce((sum, name) => sum + name.split(' ').length - 1, 0),
  );
}
