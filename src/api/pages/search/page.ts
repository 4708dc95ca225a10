import type { Kind } from '../../../../projections/listings/document.ts';
import { versionsOf } from '../../api-route-contract.ts';
import { groupOf } from '../../../platform/time/rate-limiter.ts';
import { category, kind, searchText, wholeNumber } from '../../http/parameters.ts';
import { problem } from '../../problems.ts';
import { readSearch } from '../../reading/read-search.ts';
import { readTop } from '../../reading/read-top.ts';
import { pagesOf } from '../../routes/page-links.ts';
import { MAX_PAGE } from '../../routes/search-schema.ts';
import { readLeniently, type PageContent, type PageDefinition, type Visit } from '../shell/page-route.ts';
import { paths } from '../shell/page-context.ts';
import { facetsOfAll, readFacets } from './facet-counts.ts';
import type { SearchLimit } from './rate-limit.ts';
import { searchView } from './view.ts';

const PER_PAGE = 20;
/** What a search for nothing shows: as many as the API's top gives at once. */
const LEADERS = 50;

const PARAMETERS = {
  q: { ...searchText, absent: { success: true, data: '' } as const },
  kind,
  category,
  page: wholeNumber({ max: MAX_PAGE, otherwise: 1 }),
};

export interface PageQuery {
  /** Empty where nothing is searched for. */
  readonly q: string;
  readonly kind: Kind | null;
  readonly category: string | null;
  readonly page: number;
}

/** Searches of pages yield to those with a key, and each address may make only so many. */
export function searchPage(limit: SearchLimit): PageDefinition {
  return {
    place: paths.search,
    async answer(visit) {
      const read = readLeniently(PARAMETERS, visit.request.sent);
      const asked = { q: read.q, kind: read.kind ?? null, category: read.category ?? null, page: read.page };
      if (asked.q === '') return await leaders(visit, { ...asked, page: 1 });
      const address = visit.request.address();
      const seconds = limit.take(address);
      if (seconds !== null) return problem('used_up', { limit: visit.parts.dailyLimit, seconds });
      return await results(visit, asked, `page ${groupOf(address)}`);
    },
  };
}

async function leaders({ reading, context }: Visit, asked: PageQuery): Promise<PageContent> {
  const { collection } = await reading.live('listings');
  const [top, counts] = await Promise.all([
    readTop(reading, { kind: asked.kind, category: asked.category, limit: LEADERS }),
    reading.counts(collection).current(),
  ]);
  const { entries, total, taxonomy } = top;
  return {
    varying: ['', asked.kind, asked.category],
    stamps: [taxonomy.digest, counts, total, ...versionsOf(entries)],
    view: () => {
      const facets = facetsOfAll(counts, taxonomy, asked);
      return searchView({ asked, entries, total, totalIsExact: true, pages: 1, facets, taxonomy }, context);
    },
  };
}

async function results({ reading, context }: Visit, asked: PageQuery, keyId: string): Promise<PageContent> {
  const [found, facets] = await Promise.all([
    readSearch(reading, { ...asked, keyId, yields: true, limit: PER_PAGE }),
    readFacets(reading, { keyId, ...asked }),
  ]);
  const { entries, total, totalIsExact, taxonomy } = found;
  return {
    varying: [asked.q, asked.kind, asked.category, asked.page],
    stamps: [taxonomy.digest, total, totalIsExact, JSON.stringify(facets), ...versionsOf(entries)],
    view: () => searchView({ asked, ...found, pages: pagesOf(total, PER_PAGE), facets }, context),
  };
}
