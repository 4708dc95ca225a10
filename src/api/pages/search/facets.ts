import { type Kind, KINDS } from '../../../../projections/listings/document.ts';
import { type Found, readSearch, type SearchAsked } from '../../reading/search.ts';
import { descendants, type Taxonomy } from '../../reading/taxonomy.ts';
import type { Reading } from '../../reading/reading.ts';

/** By what a search can be narrowed. Counts are exact, or not told: null. */
export interface Facets {
  readonly kinds: Readonly<Record<Kind, number | null>>;
  readonly categories: readonly { readonly slug: string; readonly count: number | null }[];
}

/** Hits that are looked at for facets: a page of the most that the index gives at once. */
const LOOKED_AT = 50;
/** Categories that are offered. */
const OFFERED = 12;

/** One more search, without filters; kinds are asked one by one only where there are more hits than it shows. */
export async function readFacets(
  reading: Reading,
  { keyId, q }: Pick<SearchAsked, 'keyId' | 'q'>,
): Promise<Facets> {
  const ask = (kind: Kind | null, limit: number): Promise<Found> =>
    Promise.resolve(readSearch(reading, { keyId, yields: true, q, kind, category: null, page: 1, limit }));
  const wide = await ask(null, LOOKED_AT);
  const isWhole = wide.totalIsExact && wide.total <= wide.entries.length;
  const countOf = async (kind: Kind): Promise<number | null> => {
    if (isWhole) return wide.entries.filter(({ view }) => view.kind === kind).length;
    const { total, totalIsExact } = await ask(kind, 1);
    return totalIsExact ? total : null;
  };
  const [channel, bot, miniapp] = await Promise.all(KINDS.map(countOf));
  return {
    kinds: { channel: channel ?? null, bot: bot ?? null, miniapp: miniapp ?? null },
    categories: categoriesOf(wide, isWhole),
  };
}

function categoriesOf({ entries, taxonomy }: Found, isWhole: boolean): Facets['categories'] {
  const roots = new Set(
    entries.flatMap(({ view }) => (view.category === null ? [] : [rootOf(view.category, taxonomy)])),
  );
  return [...roots]
    .map((slug) => {
      const all = new Set(descendants(taxonomy, slug));
      const count = entries.filter(({ view }) => view.category !== null && all.has(view.category)).length;
      return { slug, count };
    })
    .sort((a, b) => b.count - a.count || (a.slug < b.slug ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ slug, count }) => ({ slug, count: isWhole ? count : null }));
}

function rootOf(slug: string, taxonomy: Taxonomy): string {
  const parent = taxonomy.nodes.get(slug)?.parent ?? null;
  return parent === null ? slug : rootOf(parent, taxonomy);
}
