import { type Kind, KINDS } from '../../../projections/listings/document.ts';
import type { Locale } from '../../texts/texts.ts';
import { type Taxonomy, titleOf } from './build-taxonomy.ts';

/**
 * The taxonomy, and the trees that `/categories` shows. Pure, linear but for sorting, and safe from chains of any
 * length: only the levels that are shown are walked by recursion.
 */

/**
 * How many levels of categories a tree shows; what lies deeper counts in the totals above it and is found by filters.
 * Real taxonomies have a handful; most JSON readers refuse to go a few hundred levels deep.
 */
export const SHOWN_LEVELS = 100;

/** How many published entries of a kind stand in a category itself; null stands for no category. */
export interface CategoryCount {
  readonly kind: Kind;
  readonly category: string | null;
  readonly count: number;
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
 * One tree for each kind in one language, from the counts of published entries. A category that holds nothing of a kind, even below
 * it, is left out of that kind's tree; one that entries name and no event defines is a root.
 */
export function trees(taxonomy: Taxonomy, counts: readonly CategoryCount[], locale: Locale) {
  const ofKind = (kind: Kind) => counts.filter((count) => count.kind === kind);
  const grown = KINDS.map((kind) => [kind, treeOf(taxonomy, ofKind(kind), locale)] as const);
  return {
    total: grown.reduce((sum, [, tree]) => sum + tree.total, 0),
    trees: Object.fromEntries(grown) as Record<Kind, Tree>,
  };
}

/** The same of all that these counts are of, in one tree. */
export function treeOf(taxonomy: Taxonomy, counts: readonly CategoryCount[], locale: Locale): Tree {
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
    grown.getOrInsertComputed(parent, () => []).push({ slug, count, total, title, children: shown });
  }
  return { total: totalOf(counts), categories: (grown.get(null) ?? []).sort(byTotal) };
}

export function totalOf(counts: readonly CategoryCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function byTotal(a: TreeNode, b: TreeNode): number {
  if (a.total !== b.total) return b.total - a.total;
  return a.slug < b.slug ? -1 : 1;
}
