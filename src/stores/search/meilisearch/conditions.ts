import type { Condition } from '../ranking/condition.ts';
import { and, hasTerm, not, or } from './filters.ts';
import { leadTerm, tailTerm, valueTerm, wordTerm } from './terms.ts';

/** A condition as a filter: which entries match is asked for by filters alone, so that it is as exact as a set. Pure. */
export function filterOf(condition: Condition): string {
  if ('all' in condition) return and(condition.all.map(filterOf));
  if ('that' in condition) return and([filterOf(condition.that), not(filterOf(condition.except))]);
  return or(alternatives(condition));
}

/**
 * What is enough of a condition, each term and each beginning asked for once: ways of having a part overlap, and most of a search's
 * time goes to its filters. A beginning takes some 0.2 ms, a whole term next to nothing.
 */
function alternatives(condition: Condition): readonly string[] {
  const whole = new Set<string>();
  const begun = new Set<string>();
  const others = new Set<string>();
  for (const one of flattened(condition)) {
    if ('word' in one) (one.begins ? begun : whole).add(wordTerm(one));
    else if ('inside' in one) begun.add(tailTerm(one.inside));
    else if ('leads' in one) for (const lead of one.leads) whole.add(leadTerm(lead));
    else if ('field' in one) for (const value of one.values) whole.add(valueTerm(one.field, value));
    else others.add(filterOf(one));
  }
  return [
    ...(whole.size === 0 ? [] : [hasTerm([...whole])]),
    ...shortest(begun).map((beginning) => `terms STARTS WITH "${beginning}"`),
    ...others,
  ];
}

function flattened(condition: Condition): readonly Condition[] {
  return 'any' in condition ? condition.any.flatMap(flattened) : [condition];
}

/** What begins with one of these begins with one of those that are left. */
function shortest(beginnings: ReadonlySet<string>): readonly string[] {
  const left: string[] = [];
  for (const one of [...beginnings].toSorted()) {
    const last = left.at(-1);
    if (last === undefined || !one.startsWith(last)) left.push(one);
  }
  return left;
}
