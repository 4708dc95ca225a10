import { holds, type Traits } from './holds.ts';
import { IN_CATEGORY, type What } from './evidence.ts';
import type { Part, Wanted } from './plan.ts';
import { heaviestOf, leastWeightOf } from './weights.ts';

/** How much an entry has of what is wanted: what engines compute for all entries, for one. Pure. */

/** What an entry has of one part. */
export interface Had {
  readonly part: Part;
  /** Null where it has nothing of it. */
  readonly what: What | null;
  readonly isInCategory: boolean;
  readonly value: number;
}

/** The relevance of an entry; null where it does not match. */
export function relevanceOf(wanted: Wanted, traits: Traits): number | null {
  const had = hadBy(wanted, traits);
  if (wanted.beside?.every((one) => !holds(one, traits))) return null;
  return isEnough(wanted, had) ? sumOf(had) : null;
}

export function hadBy({ parts }: Wanted, traits: Traits): readonly Had[] {
  return parts.map((part) => {
    const found = part.evidence.find(({ condition }) => holds(condition, traits));
    const isInCategory = part.categories !== null && holds(part.categories, traits);
    return {
      part,
      what: found?.what ?? null,
      isInCategory,
      value: found === undefined ? 0 : valueOf(found, isInCategory),
    };
  });
}

/** What a way of having a part is worth. Who has nothing but the category has it once. */
export function valueOf(
  { what, value }: { readonly what: What; readonly value: number },
  isInCategory: boolean,
): number {
  return isInCategory && what !== 'the category' ? value + IN_CATEGORY : value;
}

/** Sums in another order may differ by less than a millionth. */
export function rounded(sum: number): number {
  return Math.round(sum * 1e6) / 1e6;
}

function sumOf(had: readonly Had[]): number {
  return rounded(had.reduce((sum, { part, value }) => sum + part.weight * value, 0));
}

function isEnough(wanted: Wanted, had: readonly Had[]): boolean {
  const matched = had.filter(({ what }) => what !== null);
  if (wanted.share === 1) return matched.length === had.length;
  const counted = new Set(heaviestOf(wanted));
  const weight = matched.reduce((sum, { part }) => sum + (counted.has(part) ? part.weight : 0), 0);
  return weight >= leastWeightOf(wanted);
}
