import { z } from 'zod';

import { described } from '../../platform/described.ts';
import { MAX_LIMIT, MAX_TOTAL } from '../../stores/search/port.ts';
import { category, kind, locale, searchText, wholeNumber } from '../http/parameters.ts';
import { renderJson } from '../http/rendering.ts';
import type { Locale } from '../messages/texts.ts';
import type { Taxonomy } from '../reading/category-tree.ts';
import { readSearch, type Found, type SearchAsked } from '../reading/search.ts';
import { apiRoute, BASE, KEYED, renderingKey, told, versionsOf } from '../route.ts';
import { askedFields, firstEntry, itemFields, ofKind, presentItem } from './entries.ts';
import { ENTRY, TAXONOMY } from './example.ts';

/** Entries that match a text, the best match first. */

/** The last page that can be asked for. */
export const MAX_PAGE = 50;

const item = z
  .discriminatedUnion('kind', [
    z.object({ ...itemFields, ...ofKind.channel }).meta({ id: 'ChannelRecord' }),
    z.object({ ...itemFields, ...ofKind.bot }).meta({ id: 'BotRecord' }),
    z.object({ ...itemFields, ...ofKind.miniapp }).meta({ id: 'MiniappRecord' }),
  ])
  .meta({ id: 'SearchItem' });

const uri = z.string().meta({ format: 'uri' });

const body = z
  .object({
    query: described(z.string(), { en: 'What was searched for.', ru: 'Что искали.' }),
    ...askedFields,
    page: described(z.int().min(1).max(MAX_PAGE), {
      en: 'This page, from 1.',
      ru: 'Номер этой страницы, с 1.',
    }),
    limit: described(z.int().min(1).max(MAX_LIMIT), { en: 'Entries on a page.', ru: 'Записей на странице.' }),
    pages: described(z.int().min(0).max(MAX_PAGE), {
      en: 'How many pages can be reached, at most 50.',
      ru: 'Сколько страниц доступно, не больше 50.',
    }),
    total: described(z.int().min(0).max(MAX_TOTAL), {
      en: 'How many entries match, counted up to 2,500.',
      ru: 'Сколько записей подходит; счёт идёт до 2500.',
    }),
    total_exact: described(z.boolean(), {
      en: 'False where more than 2,500 match.',
      ru: 'false, если подходит больше 2500.',
    }),
    items: z.array(item),
    links: described(
      z.object({
        self: described(uri, { en: 'This page.', ru: 'Эта страница.' }),
        prev: described(uri.nullable(), {
          en: 'The page before; past the end the last one. null on the first.',
          ru: 'Предыдущая страница, а за концом списка — последняя. На первой null.',
        }),
        next: described(uri.nullable(), {
          en: 'The page after; null on the last.',
          ru: 'Следующая страница; на последней null.',
        }),
      }),
      { en: 'Addresses of pages.', ru: 'Адреса страниц.' },
    ),
  })
  .meta({ id: 'SearchPage' });
type SearchBody = z.infer<typeof body>;

type Shown = Omit<Found, 'taxonomy'> & { readonly asked: Omit<SearchAsked, 'keyId'> };

/** One page of what was found, in the order of the index. `address` is that of the search, without its query. */
function present(
  { entries, total, totalIsExact, asked }: Shown,
  inLocale: Locale,
  taxonomy: Taxonomy,
  address: string,
): SearchBody {
  const { q, kind: ofOne, category: under, page, limit } = asked;
  const pages = pagesOf(total, limit);
  const addressOf = (other: number): string =>
    `${address}?${queryString({ q, locale: inLocale, kind: ofOne, category: under, page: other, limit })}`;
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
    items: entries.map((entry) => presentItem(entry, inLocale, taxonomy)) as SearchBody['items'],
    links: pageLinks(page, pages, addressOf),
  };
}

const PATH = `${BASE}/search`;

const EXAMPLE: Shown = {
  entries: [ENTRY],
  total: 143,
  totalIsExact: true,
  asked: { q: 'ai', kind: null, category: null, page: 2, limit: 1 },
};

export const search = apiRoute({
  ...KEYED,
  operation: 'searchListings',
  path: PATH,
  tag: 'catalog',
  texts: {
    en: {
      summary: 'Entries that match a text, the best match first',
      description:
        'Both languages are searched, whatever the locale. Names equal to the query come first, then by relevance, then by score, then by slug; the last word may be unfinished, slips of the finger are forgiven, and Russian and Latin spellings find each other. At most 2,500 places can be reached: 50 pages of 50. A category stands for everything below it too.',
    },
    ru: {
      summary: 'Поиск записей, лучшие совпадения первыми',
      description:
        'Поиск идёт на обоих языках, какой бы ни был locale. Сначала имена, равные запросу, затем по релевантности, по рейтингу и по slug. Последнее слово можно не дописывать, опечатки прощаются, русское и латинское написания находят друг друга. Доступны первые 2500 мест: 50 страниц по 50. Категория включает всё, что под ней.',
    },
  },
  parameters: {
    q: told(searchText, {
      en: 'What to search for; spaces around it do not matter.',
      ru: 'Что искать; пробелы по краям не важны.',
      example: EXAMPLE.asked.q,
    }),
    locale,
    kind,
    category,
    page: wholeNumber({ max: MAX_PAGE, otherwise: 1 }),
    limit: wholeNumber({ max: MAX_LIMIT, otherwise: 20 }),
  },
  body,
  example: (inLocale) => present(EXAMPLE, inLocale, TAXONOMY, `https://catalog.example.org${PATH}`),
  carries: 'links of pages',
  link: firstEntry,
  async answer({ reading, renderings, publicUrl }, { keyId, values }) {
    const { q, locale: language, page, limit } = values;
    const asked = { q, kind: values.kind ?? null, category: values.category ?? null, page, limit };
    const found = await readSearch(reading, { ...asked, keyId: keyId ?? '' });
    const { entries, total, totalIsExact, taxonomy } = found;
    const key = renderingKey('searchListings', language, q, asked.kind, asked.category, page, limit);
    return renderings.of(key, [taxonomy.digest, total, totalIsExact, ...versionsOf(entries)], () => {
      const shown = present({ ...found, asked }, language, taxonomy, `${publicUrl}${PATH}`);
      return { ...renderJson(shown, language), link: linkHeader(shown.links) };
    });
  },
});

/** Addresses of pages: absolute, and without a key. */
type PageLinks = SearchBody['links'];

/** How many pages can be reached; none where there is nothing. */
function pagesOf(total: number, limit: number): number {
  return Math.min(MAX_PAGE, Math.ceil(total / limit));
}

/** The neighbours of a page. Past the end nothing follows, and the last page is the one before. */
function pageLinks(page: number, pages: number, addressOf: (page: number) => string): PageLinks {
  const prev = Math.min(page - 1, pages);
  return {
    self: addressOf(page),
    prev: prev === 0 ? null : addressOf(prev),
    next: page < pages ? addressOf(page + 1) : null,
  };
}

/** The neighbours as a `Link` header, RFC 8288; null where there are none. Addresses are percent-encoded. */
function linkHeader({ prev, next }: PageLinks): string | null {
  const links = [
    ...(next === null ? [] : [`<${next}>; rel="next"`]),
    ...(prev === null ? [] : [`<${prev}>; rel="prev"`]),
  ];
  return links.length === 0 ? null : links.join(', ');
}

/** A query string of these parameters in this order; those that are null are left out. */
function queryString(parameters: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  return given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
}
