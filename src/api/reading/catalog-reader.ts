import type { CategoryView } from '../../../projections/categories/document.ts';
import { digestOf } from '../../platform/canonical.ts';
import { RetryableError } from '../../platform/errors.ts';
import {
  COST_FACTOR,
  createConfirmedValue,
  type ConfirmedValue,
} from '../../platform/cache/confirmed-value.ts';
import { ALIAS_MS, type Alias, type ReadAlias } from '../../stores/aliases.ts';
import { VIEW, withTimeLimit } from '../../stores/time-limit.ts';
import { type CacheOptions, createDocumentCache } from './document-cache.ts';
import { buildTaxonomy, type Taxonomy } from './build-taxonomy.ts';
import { createHitPages, type HitPagesOptions } from './hit-page-cache.ts';
import { createConfirmedLists, createListings } from './listing-queries.ts';

/**
 * What the routes read, each part with its own freshness. Every method throws what the store throws; a store that takes
 * longer than its limit is a `RetryableError`.
 */
export type CatalogReader = ReturnType<typeof createCatalogReader>;

type LiveVersion = Pick<Alias, 'collection' | 'index'>;

export interface TaxonomySnapshot extends Taxonomy {
  /** Of the versions of all categories. */
  readonly digest: string;
}

type ReadingOptions = CacheOptions &
  Omit<HitPagesOptions, 'published' | 'lists'> & { readonly live: ReadAlias };

export function createCatalogReader(options: ReadingOptions) {
  const { documents, live, clock, confirmMs, storeLimitMs } = options;
  const lists = createConfirmedLists();
  const listings = createListings({ ...options, lists, cache: createDocumentCache(options) });
  const aliases = { listings: alias('listings'), categories: alias('categories') };
  const taxonomy = createConfirmedValue({
    read: readTaxonomy,
    clock,
    minMs: confirmMs,
    costFactor: COST_FACTOR,
  });

  return {
    ...listings,
    ...createHitPages({ ...options, lists, published: listings.published }),
    /** The collection and the index of the live version of a read model, confirmed within `confirmMs`. */
    live: (readModel: 'listings' | 'categories') => aliases[readModel].current(),
    /** All categories. The same object for as long as none of them changes. */
    taxonomy: () => taxonomy.current(),
  };

  function alias(readModel: string): ConfirmedValue<LiveVersion> {
    const read = async (previous: LiveVersion | null): Promise<LiveVersion> => {
      const found = await withTimeLimit(live(readModel), storeLimitMs);
      if (!found) throw new RetryableError(`Nothing has been projected into ${readModel} yet`);
      const isSame = found.collection === previous?.collection && found.index === previous.index;
      return isSame ? previous : found;
    };
    const minMs = Math.min(confirmMs, ALIAS_MS);
    return createConfirmedValue({ read, clock, minMs, costFactor: 0 });
  }

  async function readTaxonomy(previous: TaxonomySnapshot | null): Promise<TaxonomySnapshot> {
    const { collection } = await aliases.categories.current();
    const categories: { readonly slug: string; readonly version: string; readonly view: CategoryView }[] = [];
    for await (const batch of documents.scan<{ readonly view: CategoryView }>(collection, VIEW)) {
      for (const { id, version, body } of batch) categories.push({ slug: id, version, view: body.view });
    }
    // All calls of a scan together may take longer than a build is kept quiet that was live before.
    if ((await aliases.categories.current()).collection !== collection) return await readTaxonomy(previous);
    const digest = digestOf([collection, ...categories.flatMap(({ slug, version }) => [slug, version])]);
    return previous?.digest === digest ? previous : { ...buildTaxonomy(categories), digest };
  }
}
