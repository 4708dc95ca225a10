import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { CategoryView } from '../../../../projections/categories/document.ts';
import { buildTaxonomy, descendants } from '../../../../src/api/reading/build-taxonomy.ts';
import { SHOWN_LEVELS, trees, type TreeNode } from '../../../../src/api/reading/category-tree.ts';

const KINDS = ['channel', 'bot', 'miniapp'] as const;

const defined = (slug: string, parent: string | null = null) => ({
  slug,
  view: { defined: true as const, parent, title: { ru: `${slug} по-русски`, en: `${slug} in English` } },
});
const removed = (slug: string) => ({ slug, view: { defined: false as const } });
const channels = (category: string | null, count: number) => ({ kind: 'channel' as const, category, count });

/** A tree in one line: `slug own/total (children)`. */
const outline = (nodes: readonly TreeNode[]): string =>
  nodes
    .map(({ slug, count, total, children }) => {
      const below = children.length > 0 ? ` (${outline(children)})` : '';
      return `${slug} ${count}/${total}${below}`;
    })
    .join(', ');

const channelOutline = (
  ...[categories, counts]: [Parameters<typeof buildTaxonomy>[0], ReturnType<typeof channels>[]]
) => outline(trees(buildTaxonomy(categories), counts, 'en').trees.channel.categories);

describe('the trees', () => {
  test('a category with nothing in it and below it is left out', () => {
    const categories = [defined('technology'), defined('ai', 'technology'), defined('art')];
    expect(channelOutline(categories, [channels('ai', 1)])).toBe('technology 0/1 (ai 1/1)');
    expect(channelOutline(categories, [])).toBe('');
  });

  test('categories are ordered by total, the greater first, and then by slug', () => {
    const categories = [defined('b'), defined('a'), defined('c'), defined('below-c', 'c')];
    const counts = [channels('a', 2), channels('b', 2), channels('below-c', 3)];
    expect(channelOutline(categories, counts)).toBe('c 0/3 (below-c 3/3), a 2/2, b 2/2');
  });

  test('a category that entries name and no event defines, or that was removed, stands as a root', () => {
    const categories = [defined('ai'), removed('gone'), defined('child', 'gone')];
    const counts = [channels('mystery', 3), channels('gone', 2), channels('child', 1)];
    const { categories: roots } = trees(buildTaxonomy(categories), counts, 'en').trees.channel;
    expect(outline(roots)).toBe('mystery 3/3, gone 2/2, child 1/1');
    expect(roots.map(({ title }) => title)).toEqual(['mystery', 'gone', 'child in English']);
  });
});

describe('fifty thousand categories', () => {
  const SIZE = 50_000;
  const chain = Array.from({ length: SIZE }, (_, index) =>
    defined(`c${index}`, index === 0 ? null : `c${index - 1}`),
  );

  test('in one chain, are shown a hundred levels deep, and found and counted to the bottom', () => {
    const taxonomy = buildTaxonomy(chain);
    expect(descendants(taxonomy, 'c0')).toHaveLength(SIZE);
    const shown = trees(taxonomy, [channels(`c${SIZE - 1}`, 1)], 'en');
    let [node] = shown.trees.channel.categories;
    for (let level = 1; level < SHOWN_LEVELS; level += 1) [node] = node?.children ?? [];
    expect(node).toMatchObject({ slug: 'c99', total: 1, children: [] });
  });

  test('in one cycle, become as many roots', () => {
    const cycle = [...chain.slice(1), defined('c0', `c${SIZE - 1}`)];
    const taxonomy = buildTaxonomy(cycle);
    expect([...taxonomy.nodes.values()].filter(({ parent }) => parent === null)).toHaveLength(SIZE);
    expect(descendants(taxonomy, 'c0')).toEqual(['c0']);
  });

  test('that only entries name, are as many roots', () => {
    const counts = chain.map(({ slug }) => channels(slug, 1));
    expect(trees(buildTaxonomy([]), counts, 'en').trees.channel.categories).toHaveLength(SIZE);
  });
});

describe('any taxonomy and any counts', () => {
  const slug: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'constructor');
  const view: fc.Arbitrary<CategoryView> = fc.oneof(
    { weight: 5, arbitrary: fc.option(slug).map((parent) => defined('', parent).view) },
    { weight: 1, arbitrary: fc.constant({ defined: false as const }) },
  );
  const categories = fc.uniqueArray(fc.record({ slug, view }), { selector: (category) => category.slug });
  const counts = fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      category: fc.option(slug),
      count: fc.integer({ min: 1, max: 9 }),
    }),
    { selector: ({ kind, category }) => `${kind} ${category}` },
  );

  test('show every entry once, and each total is what the filter by that category finds', () => {
    fc.assert(
      fc.property(categories, counts, (someCategories, someCounts) => {
        const taxonomy = buildTaxonomy(someCategories);
        const shown = trees(taxonomy, someCounts, 'en');
        for (const kind of KINDS) {
          const nodes = flat(shown.trees[kind].categories);
          const own = someCounts.filter((count) => count.kind === kind);
          const found = new Map(nodes.map((node) => [node.slug, node]));
          expect(found.size).toBe(nodes.length);
          for (const { category, count } of own.filter((counted) => counted.category !== null)) {
            expect(found.get(String(category))?.count).toBe(count);
          }
          for (const node of nodes) {
            const below = new Set<string | null>(descendants(taxonomy, node.slug));
            const filtered = own.filter(({ category }) => below.has(category));
            expect(node.total).toBe(filtered.reduce((sum, { count }) => sum + count, 0));
          }
          expect(shown.trees[kind].total).toBe(own.reduce((sum, { count }) => sum + count, 0));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('do not depend on the order in which categories and counts come', () => {
    fc.assert(
      fc.property(categories, counts, (someCategories, someCounts) => {
        const forwards = trees(buildTaxonomy(someCategories), someCounts, 'en');
        const backwards = trees(buildTaxonomy(someCategories.toReversed()), someCounts.toReversed(), 'en');
        expect(JSON.stringify(backwards)).toBe(JSON.stringify(forwards));
      }),
      { numRuns: 1000 },
    );
  });

  test('have the parents that following each chain of parents by hand gives', () => {
    fc.assert(
      fc.property(categories, (someCategories) => {
        const views = new Map(someCategories.map((category) => [category.slug, category.view]));
        const parentOf = (name: string) => {
          const named = views.get(name);
          return named?.defined && named.parent !== null && views.get(named.parent)?.defined
            ? named.parent
            : null;
        };
        for (const { slug: name, parent } of buildTaxonomy(someCategories).nodes.values()) {
          const trail: (string | null)[] = [];
          let next = parentOf(name);
          while (next !== null && !trail.includes(next)) {
            trail.push(next);
            next = parentOf(next);
          }
          expect(parent).toBe(trail.includes(name) ? null : parentOf(name));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

function flat(nodes: readonly TreeNode[]): readonly TreeNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)]);
}
