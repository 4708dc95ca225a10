import { describe, expect, test } from 'vitest';

import { buildTaxonomy, descendants, titleOf } from '../../../../src/api/reading/taxonomy.ts';

const defined = (slug: string, parent: string | null = null) => ({
  slug,
  view: { defined: true as const, parent, title: { ru: `${slug} по-русски`, en: `${slug} in English` } },
});

describe('the taxonomy', () => {
  test('the categories on a cycle become roots; what hangs below them stays below', () => {
    const taxonomy = buildTaxonomy([
      defined('a', 'b'),
      defined('b', 'c'),
      defined('c', 'a'),
      defined('leaf', 'twig'),
      defined('twig', 'a'),
      defined('itself', 'itself'),
    ]);
    const parents = [...taxonomy.nodes.values()].map(({ slug, parent }) => [slug, parent]);
    expect(Object.fromEntries(parents)).toEqual({
      a: null,
      b: null,
      c: null,
      itself: null,
      twig: 'a',
      leaf: 'twig',
    });
    expect(descendants(taxonomy, 'a')).toEqual(['a', 'twig', 'leaf']);
    expect(descendants(taxonomy, 'b')).toEqual(['b']);
  });

  test('a category that no event defines has its slug as title, and filters for itself', () => {
    const taxonomy = buildTaxonomy([defined('ai')]);
    expect(titleOf(taxonomy, 'mystery')).toEqual({ ru: 'mystery', en: 'mystery' });
    expect(descendants(taxonomy, 'mystery')).toEqual(['mystery']);
    expect(titleOf(taxonomy, 'ai')).toEqual({ ru: 'ai по-русски', en: 'ai in English' });
  });
});
