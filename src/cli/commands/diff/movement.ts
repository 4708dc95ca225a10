import { isJsonObject, type JsonObject } from '../../../platform/json.ts';
import type { Comparison } from '../../../projecting/inspect/diff/comparing.ts';

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

interface Sides {
  readonly before: number | null;
  readonly after: number | null;
}

/** The title, the category: as they are afterwards, or as they were of an entry that is gone. */
export function movementOf({ id, before, after, standing }: Comparison): Movement {
  const view = after ?? before ?? {};
  const { category } = view;
  const [was, is] = [standing.before, standing.after];
  const isBoth = was !== null && is !== null;
  return {
    id,
    title: titleOf(view),
    category: typeof category === 'string' ? category : null,
    score: {
      before: was?.score ?? null,
      after: is?.score ?? null,
      // Scores have one decimal, and so have their differences.
      change: isBoth ? Math.round((is.score - was.score) * 10) / 10 : null,
    },
    rank: {
      before: was?.rank ?? null,
      after: is?.rank ?? null,
      gained: isBoth ? was.rank - is.rank : null,
    },
  };
}

function titleOf({ title }: JsonObject): string {
  if (!isJsonObject(title)) return '';
  return [title['en'], title['ru']].find((one) => typeof one === 'string') ?? '';
}
