import { giveWay } from '../../../platform/give-way.ts';
import type { Condition } from '../ranking/condition.ts';
import { matchingWays } from '../ranking/evidence.ts';
import type { Part, Wanted } from '../ranking/plan.ts';
import { rounded, valueOf } from '../ranking/scoring.ts';
import { heaviestOf, leastWeightOf, weightOf } from '../ranking/weights.ts';
import type { Fulfilling } from './fulfilling.ts';
import { intersection, type Numbers, union, without } from './numbers.ts';

/** Entries that are equally relevant. */
type Equals = Numbers;

/**
 * The entries that have what is wanted, whatever the query filters: those that are equally relevant together, the most
 * relevant first. Part of a transaction; whoever has read enough asks for no more.
 */
export function* scored(fulfilling: Fulfilling, wanted: Wanted): Generator<Equals> {
  const [first, ...others] = wanted.parts;
  if (first === undefined) return;
  yield* others.length === 0 ? scoredAlone(fulfilling, first) : scoredTogether(fulfilling, wanted);
}

/** Way by way: what is not asked for need not be found. */
function* scoredAlone(fulfilling: Fulfilling, part: Part): Generator<Equals> {
  let seen: Numbers = [];
  /** With the category counted, some are worth more than what comes before them. */
  const waiting = new Map<number, Numbers>();
  const add = (value: number, found: Numbers): void => {
    if (found.length > 0) waiting.set(value, union(waiting.get(value) ?? [], found));
  };
  const categories = part.categories;
  for (const [at, { what, value, condition }] of part.evidence.entries()) {
    const found = without(fulfilling.of(condition), seen);
    seen = union(seen, found);
    const there = categories === null ? [] : fulfilling.of(categories, found);
    add(valueOf({ what, value }, true), there);
    add(value, without(found, there));
    const next = part.evidence[at + 1];
    const most = next === undefined ? -1 : valueOf(next, categories !== null);
    for (const worth of [...waiting.keys()].sort((one, other) => other - one)) {
      if (worth < most) break;
      yield waiting.get(worth) ?? [];
      waiting.delete(worth);
    }
  }
}

function* scoredTogether(fulfilling: Fulfilling, wanted: Wanted): Generator<Equals> {
  const candidates = candidatesOf(fulfilling, wanted);
  const values = new Float64Array((candidates.at(-1) ?? 0) + 1);
  for (const part of wanted.parts) {
    let left = candidates;
    const there = part.categories === null ? [] : fulfilling.of(part.categories, candidates);
    for (const { what, value, condition } of part.evidence) {
      if (left.length === 0) break;
      const found = fulfilling.of(condition, left);
      for (const n of found) values[n] = (values[n] ?? 0) + part.weight * value;
      giveWay();
      const more = part.weight * (valueOf({ what, value }, true) - value);
      if (more > 0) for (const n of intersection(there, found)) values[n] = (values[n] ?? 0) + more;
      left = without(left, found);
    }
  }
  const groups = Map.groupBy(candidates, (n) => rounded(values[n] ?? 0));
  giveWay();
  for (const worth of [...groups.keys()].sort((one, other) => other - one)) yield groups.get(worth) ?? [];
}

/** The entries that have enough of it. */
function candidatesOf(fulfilling: Fulfilling, wanted: Wanted): Numbers {
  const enough = wanted.share === 1 ? havingAll(fulfilling, wanted.parts) : havingSome(fulfilling, wanted);
  return wanted.beside === null ? enough : havingAny(fulfilling, wanted.beside, enough);
}

function havingAll(fulfilling: Fulfilling, parts: readonly Part[]): Numbers {
  // What only words decide comes first: the others are then looked up for few.
  const ordered = parts.toSorted((one, other) => Number(isLookedUp(one)) - Number(isLookedUp(other)));
  let left: Numbers | null = null;
  for (const part of ordered) left = having(fulfilling, part, left);
  return left ?? [];
}

function havingSome(fulfilling: Fulfilling, wanted: Wanted): Numbers {
  const parts = heaviestOf(wanted);
  const least = leastWeightOf(wanted);
  const weight = weightOf(parts);
  // Without one of these the others do not weigh enough: what else an entry has is asked of those that have them.
  const needed = parts.filter((part) => weight - part.weight < least);
  const among = needed.length === 0 ? null : havingAll(fulfilling, needed);
  const given = weightOf(needed);
  if (among !== null && given >= least) return among;
  const others = parts.filter((part) => !needed.includes(part));
  const found = others.map((part) => ({ part, numbers: having(fulfilling, part, among) }));
  const weights = new Float64Array(Math.max(0, ...found.map(({ numbers }) => numbers.at(-1) ?? 0)) + 1);
  for (const { part, numbers } of found) {
    for (const n of numbers) weights[n] = (weights[n] ?? 0) + part.weight;
    giveWay();
  }
  const candidates: number[] = [];
  for (const [n, sum] of weights.entries()) if (sum > 0 && given + sum >= least) candidates.push(n);
  return candidates;
}

/** Those that have a part in any way. */
function having(fulfilling: Fulfilling, { evidence }: Part, among: Numbers | null): Numbers {
  const ways = matchingWays(evidence).map(({ condition }) => condition);
  return havingAny(fulfilling, ways, among);
}

/** Each condition is asked for by itself, for it is asked for again. */
function havingAny(fulfilling: Fulfilling, conditions: readonly Condition[], among: Numbers | null): Numbers {
  return conditions.reduce<Numbers>((sofar, one) => union(sofar, fulfilling.of(one, among)), []);
}

function isLookedUp({ evidence }: Part): boolean {
  return evidence.some(
    ({ what }) => what === 'the kind' || what === 'the very kind' || what === 'the category',
  );
}
