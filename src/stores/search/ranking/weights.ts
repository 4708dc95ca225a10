import type { Part, Wanted } from './plan.ts';

/** Of more parts the lightest do not help an entry that has only some: there would be too many combinations. */
const MOST = 5;
/** Sums of the same weights in another order may differ by as much. */
const ROUNDING = 1e-9;

/** The parts that count where not all are matched, the heaviest first. Pure. */
export function heaviestOf({ parts }: Wanted): readonly Part[] {
  return parts.toSorted((one, other) => other.weight - one.weight).slice(0, MOST);
}

/** How much of the weight has to be matched. */
export function leastWeightOf({ parts, share }: Wanted): number {
  return share * weightOf(parts) - ROUNDING;
}

/** Sets of entries, however an engine tells them: `all` of none is every entry, `any` of none is no entry. */
export interface Sets<Set> {
  readonly all: (sets: readonly Set[]) => Set;
  readonly any: (sets: readonly Set[]) => Set;
}

/** The entries that have enough parts, by those that have `one`: with a part less of the others is needed, without it as much. */
export function enoughOf<Set>(wanted: Wanted, one: (part: Part) => Set, { all, any }: Sets<Set>): Set {
  if (wanted.share === 1) return all(wanted.parts.map(one));
  const having = new Map(heaviestOf(wanted).map((part) => [part, one(part)]));
  const enoughOfThese = ([first, ...others]: readonly Part[], least: number): Set => {
    if (least <= 0) return all([]);
    const own = first && having.get(first);
    if (first === undefined || own === undefined || weightOf([first, ...others]) < least) return any([]);
    const beside = enoughOfThese(others, least - first.weight);
    return any([all([own, beside]), enoughOfThese(others, least)]);
  };
  return enoughOfThese([...having.keys()], leastWeightOf(wanted));
}

function weightOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
