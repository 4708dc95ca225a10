import { readCategories, type SampleCategory } from '../catalog.ts';
import { oneOf, type Random } from '../random.ts';

/** The sample's taxonomy, whose definitions change now and then. */
export interface Taxonomy {
  readonly first: readonly SampleCategory[];
  /** Renames a category, or moves one without children below another. No cycle can come of it. */
  change(random: Random): Redefined;
}

export interface Redefined {
  readonly category: SampleCategory;
  readonly revision: number;
}

export function createTaxonomy(): Taxonomy {
  const first = readCategories();
  const parents = new Set(first.map(({ parent }) => parent));
  const roots = first.filter(({ parent }) => parent === null).map(({ slug }) => slug);
  const current = new Map(first.map((category) => [category.slug, { category, revision: 1 }]));
  return {
    first,
    change: (random) => {
      const original = oneOf(random, first as [SampleCategory, ...SampleCategory[]]);
      const before = current.get(original.slug) ?? { category: original, revision: 1 };
      const isLeaf = original.parent !== null && !parents.has(original.slug);
      const category =
        isLeaf && random.uniform() < 0.4
          ? { ...before.category, parent: oneOf(random, [original.parent, ...roots]) }
          : { ...before.category, title: otherTitle(original, before.category) };
      const redefined = { category, revision: before.revision + 1 };
      current.set(original.slug, redefined);
      return redefined;
    },
  };
}

/** Its own title and a longer one take turns. */
function otherTitle({ title }: SampleCategory, now: SampleCategory): SampleCategory['title'] {
  if (now.title !== title) return title;
  return { ru: `${title.ru} и не только`, en: `${title.en} and more` };
}
