import type { CategoryView, Definition } from '../../../projections/categories/document.ts';
import type { Locale } from '../messages/texts.ts';

/**
 * The taxonomy, and the trees that `/categories` shows. Pure, linear but for sorting, and safe from chains of any
 * length: only the levels that are shown are walked by recursion.
 */

/**
 * How many levels of categories a tree shows; what lies deeper counts in the totals above it and is found by filters.
 * Real taxonomies have a handful; most JSON readers refuse to go a few hundred levels deep.
 */
export const SHOWN_LEVELS = 100;

export type Title = Definition['title'];

export interface Taxonomy {
  /** Every defined category, parents before their children. */
  readonly nodes: ReadonlyMap<string, TaxonomyNode>;
  /** How many categories stand as roots although they name a parent: it is unknown or removed, or they form a cycle. */
  readonly displaced: { readonly unknownParent: number; readonly cycle: number };
}

export interface TaxonomyNode {
  readonly slug: string;
  readonly title: Title;
  /** Resolved: null for a root. */
  readonly parent: string | null;
  /** 1 for a root. */
  readonly level: number;
  readonly children: readonly string[];
}

/** How many published entries of a kind stand in a category itself; null stands for no category. */
export interface CategoryCount<Kind extends string = string> {
  readonly kind: Kind;
  readonly category: string | null;
  readonly count: number;
}

export interface Trees<Kind extends string = string> {
  readonly total: number;
  readonly trees: Readonly<Record<Kind, Tree>>;
}

export interface Tree {
  /** With the entries that have no category. */
  readonly total: number;
  readonly categories: readonly TreeNode[];
}

export interface TreeNode {
  readonly slug: string;
  readonly title: string;
  /** In the category itself. */
  readonly count: number;
  /** With everything below it; never 0. */
  readonly total: number;
  /** By `total` descending, then by slug. */
  readonly children: readonly TreeNode[];
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
  let unknownParent = 0;
  const children = Map.groupBy([...defined.keys()].sort(), (slug) => {
    const named = defined.get(slug)?.parent ?? null;
    if (named === null || looping.has(slug)) return null;
    if (defined.has(named)) return named;
    unknownParent += 1;
    return null;
  });
  return { nodes: inOrder(defined, children), displaced: { unknownParent, cycle: looping.size } };
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

/**
 * One tree for each of the kinds in one language, from the counts of published entries. A category that holds nothing of a kind, even
 * below it, is left out of that kind's tree; one that entries name and no event defines is a root.
 */
export function trees<Kind extends string>(
  taxonomy: Taxonomy,
  kinds: readonly Kind[],
  counts: readonly CategoryCount<Kind>[],
  locale: Locale,
): Trees<Kind> {
  const ofKind = (kind: Kind) => counts.filter((count) => count.kind === kind);
  const grown = kinds.map((kind) => [kind, treeOf(taxonomy, ofKind(kind), locale)] as const);
  return {
    total: grown.reduce((sum, [, tree]) => sum + tree.total, 0),
    trees: Object.fromEntries(grown) as Record<Kind, Tree>,
  };
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

function treeOf(taxonomy: Taxonomy, counts: readonly CategoryCount[], locale: Locale): Tree {
  const own = new Map<string, number>();
  for (const { category, count } of counts) {
    if (category !== null) own.set(category, (own.get(category) ?? 0) + count);
  }
  const grown = new Map<string | null, TreeNode[]>();
  const undefinedSlugs = [...own.keys()].filter((slug) => !taxonomy.nodes.has(slug));
  const bottomUp = [...taxonomy.nodes.keys()].reverse();
  for (const slug of [...bottomUp, ...undefinedSlugs]) {
    const children = (grown.get(slug) ?? []).sort(byTotal);
    const count = own.get(slug) ?? 0;
    const total = children.reduce((sum, child) => sum + child.total, count);
    if (total === 0) continue;
    const { parent, level } = taxonomy.nodes.get(slug) ?? { parent: null, level: 1 };
    const shown = level < SHOWN_LEVELS ? children : [];
    const title = titleOf(taxonomy, slug)[locale];
    const node = { slug, count, total, title, children: shown };
    const siblings = grown.get(parent);
    if (siblings) siblings.push(node);
    else grown.set(parent, [node]);
  }
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    categories: (grown.get(null) ?? []).sort(byTotal),
  };
}

function byTotal(a: TreeNode, b: TreeNode): number {
  if (a.total !== b.total) return b.total - a.total;
  return a.slug < b.slug ? -1 : 1;
}
