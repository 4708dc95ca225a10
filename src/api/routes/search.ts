import { MAX_LIMIT } from '../../stores/search/port.ts';
import { apiRoute, BASE, KEYED, responseKey, versionsOf } from '../api-route-contract.ts';
import { withTexts } from '../../platform/schema-field-texts.ts';
import { category, kind, locale, searchText, wholeNumber, yesOrNo } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import type { Locale } from '../../texts/texts.ts';
import { type SearchPage, readSearch, type SearchRequest } from '../reading/read-search.ts';
import type { Taxonomy } from '../reading/build-taxonomy.ts';
import { firstEntry } from './entry-fields.ts';
import { ENTRY, TAXONOMY } from './example-catalog.ts';
import { linkHeader, pageLinks, pagesOf, queryString } from './page-links.ts';
import { presentItem } from './present-entry.ts';
import { matchesIn, type MatchesOf } from './search-hit-matches.ts';
import { body, MAX_PAGE, type SearchBody } from './search-schema.ts';

/** Entries that match a text, the best match first. */

interface SearchResult extends Omit<SearchPage, 'taxonomy'> {
  readonly asked: Omit<SearchRequest, 'keyId'>;
  /** What of each entry matched; null where nobody asks. */
  readonly matches: MatchesOf | null;
}

/** One page of what was found, in the order of the index. `address` is that of the search, without its query. */
function present(
  { entries, total, totalIsExact, asked, matches }: SearchResult,
  inLocale: Locale,
  taxonomy: Taxonomy,
  address: string,
): SearchBody {
  const { q, kind: ofOne, category: under, page, limit } = asked;
  const pages = pagesOf(total, limit);
  const parameters = { q, locale: inLocale, kind: ofOne, category: under };
  const addressOf = (other: number): string =>
    `${address}?${queryString({ ...parameters, page: other, limit, ...(matches === null ? {} : { matches: 'true' }) })}`;
  return {
    query: q,
    locale: inLocale,
    kind: ofOne,
    category: under,
    page,
    limit,
    pages,
    total,
    total_exact: totalIsExact,
    // The stored view pairs each kind with its own unit, which the fields one by one do not show.
    items: entries.map((entry) => ({
      ...presentItem(entry, inLocale, taxonomy),
      ...(matches === null ? {} : { matches: matches.get(entry.id) }),
    })) as SearchBody['items'],
    links: pageLinks(page, pages, addressOf),
  };
}

const PATH = `${BASE}/search`;

const EXAMPLE: SearchResult = {
  entries: [ENTRY],
  total: 143,
  totalIsExact: true,
  asked: { q: 'ai', kind: null, category: null, page: 2, limit: 1 },
  matches: null,
};

export const search = apiRoute({
  ...KEYED,
  operation: 'searchListings',
  path: PATH,
  tag: 'catalog',
  texts: {
    en: {
      summary: 'Search',
      description:
        'Entries that match a text, the best match first. Both languages are searched, whatever the locale. Names equal to the query come first, then by relevance, then by score, then by slug; the last word may be unfinished, slips of the finger are forgiven, and Russian and Latin spellings find each other. At most 2,500 places can be reached: 50 pages of 50. A category stands for everything below it too.',
    },
    ru: {
      summary: 'Поиск',
      description:
        'Поиск записей, лучшие совпадения первыми. Поиск идёт на обоих языках, какой бы ни был locale. Сначала имена, равные запросу, затем по релевантности, по рейтингу и по slug. Последнее слово можно не дописывать, опечатки прощаются, русское и латинское написания находят друг друга. Доступны первые 2500 мест: 50 страниц по 50. Категория включает всё, что под ней.',
    },
  },
  parameters: {
    q: { ...searchText, schema: withTexts(searchText.schema, { example: EXAMPLE.asked.q }) },
    locale,
    kind,
    category,
    page: wholeNumber({ max: MAX_PAGE, otherwise: 1 }),
    limit: wholeNumber({ max: MAX_LIMIT, otherwise: 20 }),
    matches: yesOrNo(),
  },
  body,
  example: (inLocale) => present(EXAMPLE, inLocale, TAXONOMY, `https://catalog.example.org${PATH}`),
  carries: 'links of pages',
  link: firstEntry,
  async answer({ reading, responses, publicUrl }, { keyId, values }) {
    const { q, locale: language, page, limit, matches: isTold } = values;
    const asked = { q, kind: values.kind ?? null, category: values.category ?? null, page, limit };
    const found = await readSearch(reading, { ...asked, keyId: keyId ?? '' });
    const { entries, total, totalIsExact, taxonomy } = found;
    const { kind: ofOne, category: under } = asked;
    const key = responseKey('searchListings', language, q, ofOne, under, page, limit, String(isTold));
    const from = [taxonomy.digest, total, totalIsExact, ...versionsOf(entries)];
    const known = responses.known(key, from);
    if (known) return known;
    const matches = isTold ? await matchesIn(entries, reading.understood(q, taxonomy)) : null;
    return responses.of(key, from, () => {
      const shown = present({ ...found, asked, matches }, language, taxonomy, `${publicUrl}${PATH}`);
      return renderJson(shown, language, { link: linkHeader(shown.links) });
    });
  },
});
