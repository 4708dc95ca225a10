import { isJsonObject, type JsonObject } from '../../../platform/json-value.ts';
import type { Comparison, Sides } from './compare-entry.ts';

/** Where an entry stood, and where it stands. */
export interface Movement {
  readonly id: string;
  readonly title: string;
  readonly category: string | null;
  /** `change` is positive where it rose; null where one side does not have the entry. */
  readonly score: Sides & { readonly change: number | null };
  /** `gained` is how many places it rose. */
  readonly rank: Sides & { readonly gained: number | null };
}

/** The heaviest first; of equal ones, the one with the smaller id. What weighs nothing is not kept. */
export function keepLargest(most: number, weigh: (movement: Movement) => number) {
  let found: Movement[] = [];
  const kept = (): readonly Movement[] =>
    found.toSorted((a, b) => weigh(b) - weigh(a) || (a.id < b.id ? -1 : 1)).slice(0, most);
  return {
    kept,
    add: (movement: Movement): void => {
      if (weigh(movement) > 0) found.push(movement);
      if (found.length > 2 * most) found = [...kept()];
    },
  };
}

/** The title, the category: as they are afterwards, or as they were of an entry that is gone. */
export function movementOf({ id, before, after, score, rank }: Comparison): Movement {
  const view = after ?? before ?? {};
  const { category } = view;
  const change = risen(score.before, score.after);
  return {
    id,
    title: titleOf(view),
    category: typeof category === 'string' ? category : null,
    // Scores have one decimal, and so have their differences.
    score: { ...score, change: change && Math.round(change * 10) / 10 },
    rank: { ...rank, gained: risen(rank.after, rank.before) },
  };
}

function risen(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}

function titleOf({ title }: JsonObject): string {
  if (!isJsonObject(title)) return '';
  return [title['en'], title['ru']].find((one) => typeof one === 'string') ?? '';
}
