import { MAX_LIMIT } from '../../stores/search/port.ts';
import { category, kind, locale, searchText, wholeNumber } from '../http/parameters.ts';
import { renderJson } from '../http/rendering.ts';
import { linkHeader, MAX_PAGE } from '../paging.ts';
import { presentSearch } from '../presenting.ts';
import { readSearch } from '../reading/search.ts';
import { KEYED_CACHE_CONTROL, renderingKey, route, versionsOf } from '../route.ts';
import { searchPage as body } from '../schemas.ts';

/** Entries that match a text, the best match first. */
export const search = route({
  operation: 'searchListings',
  path: '/api/v1/search',
  needsKey: true,
  parameters: {
    q: searchText,
    locale,
    kind,
    category,
    page: wholeNumber({ max: MAX_PAGE, otherwise: 1 }),
    limit: wholeNumber({ max: MAX_LIMIT, otherwise: 20 }),
  },
  body,
  canBeMissing: false,
  cacheControl: KEYED_CACHE_CONTROL,
  async answer({ reading, renderings, publicUrl }, { keyId, values }) {
    const { q, locale: language, page, limit } = values;
    const asked = { q, kind: values.kind ?? null, category: values.category ?? null, page, limit };
    const { entries, total, totalIsExact, taxonomy } = await readSearch(reading, {
      ...asked,
      keyId: keyId ?? '',
    });
    const key = renderingKey('searchListings', language, q, asked.kind, asked.category, page, limit);
    return renderings.of(key, [taxonomy.digest, total, totalIsExact, ...versionsOf(entries)], () => {
      const found = { entries, total, totalIsExact, asked };
      const shown = presentSearch(found, language, taxonomy, `${publicUrl}${search.path}`);
      return { ...renderJson(shown, language), link: linkHeader(shown.links) };
    });
  },
});
