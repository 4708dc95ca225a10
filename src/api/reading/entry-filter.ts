import { descendants, type Taxonomy } from './taxonomy.ts';
import type { Kind } from '../../../projections/listings/document.ts';

/** What a list is of: of everything, of a kind, of a category with all that is below it. Pure. */
export interface EntryFilter {
  readonly kind: Kind | null;
  /** One of these; null for all, and for entries without a category. */
  readonly categories: ReadonlySet<string> | null;
  /** Distinguishes what is asked for, as the taxonomy has it; short. */
  readonly name: string;
  readonly matches: (entry: KindAndCategory) => boolean;
}

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

export function filterOf(
  { kind, category }: FilterChoice,
  taxonomy: Taxonomy & { readonly digest: string },
): EntryFilter {
  const categories = category === null ? null : new Set(descendants(taxonomy, category));
  return {
    kind,
    categories,
    name: JSON.stringify([kind, category, category === null ? null : taxonomy.digest]),
    matches: (entry) =>
      (kind === null || entry.kind === kind) &&
      (categories === null || (entry.category !== null && categories.has(entry.category))),
  };
}
