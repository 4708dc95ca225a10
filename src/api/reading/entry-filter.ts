import { descendants, type Taxonomy } from './build-taxonomy.ts';
import type { Kind } from '../../../projections/listings/document.ts';

export type EntryFilter = ReturnType<typeof filterOf>;

export interface FilterChoice {
  readonly kind: Kind | null;
  /** With everything below it. */
  readonly category: string | null;
}

/** What decides whether an entry, or a count of entries, belongs to a list. */
export interface KindAndCategory {
  readonly kind: Kind;
  readonly category: string | null;
}

/** What a list is of: of everything, of a kind, of a category with all that is below it. Pure. */
export function filterOf({ kind, category }: FilterChoice, taxonomy: Taxonomy & { readonly digest: string }) {
  const categories = category === null ? null : new Set(descendants(taxonomy, category));
  return {
    kind,
    /** One of these; null for all, and for entries without a category. */
    categories,
    /** Distinguishes what is asked for, as the taxonomy has it; short. */
    name: JSON.stringify([kind, category, category === null ? null : taxonomy.digest]),
    matches: (entry: KindAndCategory): boolean =>
      (kind === null || entry.kind === kind) &&
      (categories === null || (entry.category !== null && categories.has(entry.category))),
  };
}
