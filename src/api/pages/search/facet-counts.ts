import { KINDS } from '../../../../projections/listings/document.ts';
import { type CategoryCount, totalOf, treeOf } from '../../reading/category-tree.ts';
import { filterOf, type FilterChoice } from '../../reading/entry-filter.ts';
import { type SearchPage, readSearch, type SearchRequest } from '../../reading/read-search.ts';
import type { Taxonomy } from '../../reading/build-taxonomy.ts';
import type { CatalogReader, TaxonomySnapshot } from '../../reading/catalog-reader.ts';

/**
 * By what a search can be narrowed. A count is that of what its choice leads to: of the words and the other filter together.
 * Counts are exact, or not told: null.
 */
export interface Facets {
  /** Of all kinds, then of each in the order of `KINDS`. */
  readonly kinds: readonly (number | null)[];
  readonly allCategories: number | null;
  readonly categories: readonly CountedCategory[];
}

interface CountedCategory {
  readonly slug: string;
  readonly count: number | null;
}

/** Hits that are looked at for facets: a page of the most that the index gives at once. */
const LOOKED_AT = 50;
/** Where a count is not told, there are more than are counted. */
const MAX_COUNT = 1e9;
/** Categories that are offered. */
const OFFERED = 12;

/**
 * A search without the kind and one without the category. Only where one has more hits than it shows, its choices are asked for
 * one by one, and one after the other: so many at once would keep the reader's own search waiting.
 */
export async function readFacets(
  reading: CatalogReader,
  { keyId, q, kind, category }: Pick<SearchRequest, 'keyId' | 'q' | 'kind' | 'category'>,
): Promise<Facets> {
  const ask = (choice: FilterChoice, limit: number): Promise<SearchPage> =>
    Promise.resolve(readSearch(reading, { keyId, yields: true, q, ...choice, page: 1, limit }));
  const countOf = async (among: SearchPage, choice: FilterChoice): Promise<number | null> => {
    if (!isWhole(among)) return exactTotal(await ask(choice, 1));
    const { matches } = filterOf(choice, among.taxonomy);
    return among.entries.filter(({ view }) => matches(view)).length;
  };

  const ofAllKinds = await ask({ kind: null, category }, LOOKED_AT);
  const kinds = [exactTotal(ofAllKinds)];
  for (const one of KINDS) kinds.push(await countOf(ofAllKinds, { kind: one, category }));

  const ofAllCategories = await ask({ kind, category: null }, LOOKED_AT);
  const categories: CountedCategory[] = [];
  for (const slug of commonRoots(ofAllCategories)) {
    categories.push({ slug, count: await countOf(ofAllCategories, { kind, category: slug }) });
  }
  return { kinds, allCategories: exactTotal(ofAllCategories), categories: categories.toSorted(byCount) };
}

/** The same without words: of all entries, by their counts. */
export function facetsOfAll(
  counts: readonly CategoryCount[],
  taxonomy: TaxonomySnapshot,
  { kind, category }: FilterChoice,
): Facets {
  const among = (choice: FilterChoice) => counts.filter(filterOf(choice, taxonomy).matches);
  const { total, categories } = treeOf(taxonomy, among({ kind, category: null }), 'en');
  return {
    kinds: [null, ...KINDS].map((one) => totalOf(among({ kind: one, category }))),
    allCategories: total,
    categories: categories.map(({ slug, total: count }) => ({ slug, count })),
  };
}

function isWhole({ totalIsExact, total, entries }: SearchPage): boolean {
  return totalIsExact && total <= entries.length;
}

function exactTotal({ totalIsExact, total }: SearchPage): number | null {
  return totalIsExact ? total : null;
}

/** The roots of most of the first hits. */
function commonRoots({ entries, taxonomy }: SearchPage): readonly string[] {
  const roots = entries.flatMap(({ view }) =>
    view.category === null ? [] : [rootOf(view.category, taxonomy)],
  );
  return [...Map.groupBy(roots, (slug) => slug)]
    .map(([slug, { length: count }]) => ({ slug, count }))
    .sort(byCount)
    .slice(0, OFFERED)
    .map(({ slug }) => slug);
}

function rootOf(slug: string, taxonomy: Taxonomy): string {
  const parent = taxonomy.nodes.get(slug)?.parent ?? null;
  return parent === null ? slug : rootOf(parent, taxonomy);
}

function byCount(one: CountedCategory, other: CountedCategory): number {
  return (other.count ?? MAX_COUNT) - (one.count ?? MAX_COUNT) || (one.slug < other.slug ? -1 : 1);
}
