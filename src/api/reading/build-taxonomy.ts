import type { CategoryView, Definition } from '../../../projections/categories/document.ts';

export type Title = Definition['title'];

export interface Taxonomy {
  /** Every defined category, parents before their children. */
  readonly nodes: ReadonlyMap<string, TaxonomyNode>;
}

interface TaxonomyNode {
  readonly slug: string;
  readonly title: Title;
  /** Resolved: null for a root. */
  readonly parent: string | null;
  /** 1 for a root. */
  readonly level: number;
  readonly children: readonly string[];
}

/**
 * Resolves the parents of all categories, whatever order they come in. A category whose parent is unknown or removed,
 * or which is itself part of a cycle of parents, becomes a root; what hangs below it stays below it.
 */
export function buildTaxonomy(
  categories: Iterable<{ readonly slug: string; readonly view: CategoryView }>,
): Taxonomy {
  const defined = new Map<string, Definition>();
  for (const { slug, view } of categories) if (view.defined) defined.set(slug, view);
  const looping = slugsOnCycles(defined);
  const children = Map.groupBy([...defined.keys()].sort(), (slug) => {
    const named = defined.get(slug)?.parent ?? null;
    return named === null || looping.has(slug) || !defined.has(named) ? null : named;
  });
  return { nodes: inOrder(defined, children) };
}

/** A category and everything below it. A category that no event defines has nothing below it. */
export function descendants(taxonomy: Taxonomy, slug: string): readonly string[] {
  const found = [slug];
  // The list grows while it is walked.
  for (const next of found) {
    for (const child of taxonomy.nodes.get(next)?.children ?? []) found.push(child);
  }
  return found;
}

/** A category's title; the slug itself where no event defines it. */
export function titleOf(taxonomy: Taxonomy, slug: string): Title {
  return taxonomy.nodes.get(slug)?.title ?? { ru: slug, en: slug };
}

/** The categories from which following the parents leads back to the start. */
function slugsOnCycles(defined: ReadonlyMap<string, Definition>): ReadonlySet<string> {
  const looping = new Set<string>();
  const walkOf = new Map<string, string>();
  for (const start of defined.keys()) {
    let slug: string | null = start;
    while (slug !== null && defined.has(slug) && !walkOf.has(slug)) {
      walkOf.set(slug, start);
      slug = defined.get(slug)?.parent ?? null;
    }
    // Only a walk that came back to its own trail has found a cycle: it goes round from here.
    if (slug === null || walkOf.get(slug) !== start) continue;
    while (slug !== null && !looping.has(slug)) {
      looping.add(slug);
      slug = defined.get(slug)?.parent ?? null;
    }
  }
  return looping;
}

/** All categories, parents before their children. */
function inOrder(
  defined: ReadonlyMap<string, Definition>,
  childrenOf: ReadonlyMap<string | null, readonly string[]>,
): ReadonlyMap<string, TaxonomyNode> {
  const nodes = new Map<string, TaxonomyNode>();
  const parents: (string | null)[] = [null];
  // The list grows while it is walked.
  for (const parent of parents) {
    const level = parent === null ? 1 : (nodes.get(parent)?.level ?? 0) + 1;
    for (const slug of childrenOf.get(parent) ?? []) {
      const title = defined.get(slug)?.title ?? { ru: slug, en: slug };
      nodes.set(slug, { slug, title, parent, level, children: childrenOf.get(slug) ?? [] });
      parents.push(slug);
    }
  }
  return nodes;
}
