import { MAX_PAGE, type SearchBody } from './search-schema.ts';

/** Addresses of pages: absolute, and without a key. */
type PageLinks = SearchBody['links'];

/** How many pages can be reached; none where there is nothing. */
export function pagesOf(total: number, limit: number): number {
  return Math.min(MAX_PAGE, Math.ceil(total / limit));
}

/** The neighbours of a page. Past the end nothing follows, and the last page is the one before. */
export function pageLinks(page: number, pages: number, addressOf: (page: number) => string): PageLinks {
  const prev = Math.min(page - 1, pages);
  return {
    self: addressOf(page),
    prev: prev === 0 ? null : addressOf(prev),
    next: page < pages ? addressOf(page + 1) : null,
  };
}

/** The neighbours as a `Link` header, RFC 8288; null where there are none. Addresses are percent-encoded. */
export function linkHeader({ prev, next }: PageLinks): string | null {
  const links = [
    ...(next === null ? [] : [`<${next}>; rel="next"`]),
    ...(prev === null ? [] : [`<${prev}>; rel="prev"`]),
  ];
  return links.length === 0 ? null : links.join(', ');
}

/** A query string of these parameters in this order; those that are null are left out. */
export function queryString(parameters: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  return given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
}
