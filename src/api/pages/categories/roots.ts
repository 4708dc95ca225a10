import { type Kind, KINDS } from '../../../../projections/listings/document.ts';
import type { TreeNode, Trees } from '../../reading/category-tree.ts';

/** A category with how many entries of each kind it holds, what is below it included. */
export interface MergedNode extends Pick<TreeNode, 'slug' | 'title' | 'total'> {
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly children: readonly MergedNode[];
}

/** The trees of all kinds as one: the same counts, added up. By `total` descending, then by slug. */
export function mergedRoots({ trees }: Trees): readonly MergedNode[] {
  return merged(KINDS.map((kind) => [kind, trees[kind].categories] as const));
}

function merged(levels: readonly (readonly [Kind, readonly TreeNode[]])[]): readonly MergedNode[] {
  const all = levels.flatMap(([kind, nodes]) => nodes.map((node) => ({ kind, node })));
  return [...Map.groupBy(all, ({ node }) => node.slug)]
    .map(([slug, same]) => {
      const totalIn = (kind: Kind) => same.find((one) => one.kind === kind)?.node.total ?? 0;
      return {
        slug,
        title: same[0]?.node.title ?? slug,
        total: same.reduce((sum, { node }) => sum + node.total, 0),
        byKind: { channel: totalIn('channel'), bot: totalIn('bot'), miniapp: totalIn('miniapp') },
        children: merged(same.map(({ kind, node }) => [kind, node.children] as const)),
      };
    })
    .sort((a, b) => b.total - a.total || (a.slug < b.slug ? -1 : 1));
}

/** The way to a category from its root, itself included; empty where it holds nothing. */
export function trailTo(slug: string, nodes: readonly MergedNode[]): readonly MergedNode[] {
  for (const node of nodes) {
    if (node.slug === slug) return [node];
    const below = trailTo(slug, node.children);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}
