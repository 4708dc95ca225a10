import type { Concept, Reading, Understood } from '../asking/understood.ts';
import { all, any, type Condition } from './condition.ts';
import { atLevel, type Level, LEVELS } from './levels.ts';
import { heavyEnough } from './weights.ts';

/**
 * A query as conditions, the most telling first: an entry belongs to the first one that it fulfils, and within one the
 * better score decides, then the id. Both engines follow the same plan. Pure.
 */
export interface Plan {
  /** All words are matched. Each takes in those before it. */
  readonly full: readonly Condition[];
  /** Followed where fewer than `FEW` entries of the whole index match in full. */
  readonly otherwise: readonly Condition[];
  /** Whether names with slips of the finger follow as well. */
  readonly allowsSlips: boolean;
}

/** With fewer matches of all words than this, in the whole index, others follow. */
export const FEW = 5;

export function planOf({ asTyped, instead, isUsername }: Understood): Plan {
  const full = tiersOf(asTyped, LEVELS);
  if (isUsername) return { full: full.slice(0, 1), otherwise: [], allowsSlips: false };
  const otherwise = instead === null ? partial(asTyped) : [...tiersOf(instead, LEVELS), ...partial(instead)];
  return { full, otherwise, allowsSlips: true };
}

function tiersOf({ concepts }: Reading, levels: readonly Level[]): readonly Condition[] {
  if (concepts.length === 0) return [];
  return levels.map((level) => all(concepts.map((one) => atLevel(one, level, concepts.length === 1))));
}

/** Some of the words: those that weigh three quarters of all, then half. */
function partial({ concepts }: Reading): readonly Condition[] {
  if (concepts.length < 2) return [];
  return [0.75, 0.5].flatMap((share) => ([2, 4] as const).map((level) => someOf(concepts, share, level)));
}

function someOf(concepts: readonly Concept[], share: number, level: Level): Condition {
  const conditions = new Map(concepts.map((one) => [one, atLevel(one, level, false)]));
  const together = (some: readonly Concept[]) => all(some.flatMap((one) => conditions.get(one) ?? []));
  return any(heavyEnough(concepts, share).map(together));
}
