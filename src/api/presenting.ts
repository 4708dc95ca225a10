import { titleOf, trees, withTitles, type CategoryCount, type Taxonomy } from './reading/category-tree.ts';
import { KINDS, type Kind, type PublishedView, type Score } from '../../projections/listings/document.ts';
import { showInstant } from '../platform/instant.ts';
import { inLanguage, textsIn, type Locale } from './messages/texts.ts';
import { pageLinks, pagesOf, queryString } from './paging.ts';
import type { PublishedListing } from './reading/listings.ts';
import type { Found, SearchAsked } from './reading/search.ts';
import type { CategoriesBody, Listing, SearchBody, TopBody } from './schemas.ts';
import type { Top, TopFilter } from './reading/top.ts';

/** Published entries as the API shows them, in one language. Pure. */

/** A listing with everything that is known about it. */
export function presentListing(entry: PublishedListing, locale: Locale, taxonomy: Taxonomy): Listing {
  const { view } = entry;
  const { measured_at, ...measures } = view.metrics ?? { measured_at: null };
  return {
    ...presentRecord(entry, locale, taxonomy),
    description: view.description && inLanguage(view.description, locale),
    tags: view.tags,
    country: view.country,
    links: view.links,
    metrics: measured_at === null ? null : { measured_at: showInstant(measured_at), ...measures },
    score: presentScore(view.score, locale),
    published_at: showInstant(view.published_at),
    // The stored view pairs each kind with its own metrics and unit, which the fields one by one do not show.
  } as Listing;
}

/** One page of what was found, in the order of the index. `address` is that of the search, without its query. */
export function presentSearch(
  {
    entries,
    total,
    totalIsExact,
    asked,
  }: Omit<Found, 'taxonomy'> & { readonly asked: Omit<SearchAsked, 'keyId'> },
  locale: Locale,
  taxonomy: Taxonomy,
  address: string,
): SearchBody {
  const { q, kind, category, page, limit } = asked;
  const pages = pagesOf(total, limit);
  const addressOf = (other: number): string =>
    `${address}?${queryString({ q, locale, kind, category, page: other, limit })}`;
  return {
    query: q,
    locale,
    kind,
    category,
    page,
    limit,
    pages,
    total,
    total_exact: totalIsExact,
    items: entries.map((entry) => presentItem(entry, locale, taxonomy)),
    links: pageLinks(page, pages, addressOf),
  };
}

/** The best entries in their order, ranked from 1. */
export function presentTop(
  { entries, total, filter }: Pick<Top, 'entries' | 'total'> & { readonly filter: TopFilter },
  locale: Locale,
  taxonomy: Taxonomy,
): TopBody {
  const items = entries.map((entry, index) => ({ rank: index + 1, ...presentItem(entry, locale, taxonomy) }));
  const { kind, category, limit } = filter;
  return { locale, kind, category, limit, total, as_of: newestMeasurement(entries), items };
}

/** The trees of all kinds, empty categories left out. */
export function presentCategories(
  taxonomy: Taxonomy,
  counts: readonly CategoryCount<Kind>[],
  locale: Locale,
): CategoriesBody {
  const shown = withTitles(trees(taxonomy, KINDS, counts), (title) => title[locale]);
  // The trees are read-only, which the type of the body does not say.
  return { locale, ...shown } as CategoriesBody;
}

function presentItem(
  entry: PublishedListing,
  locale: Locale,
  taxonomy: Taxonomy,
): SearchBody['items'][number] {
  const { value, preliminary } = entry.view.score;
  const item = { ...presentRecord(entry, locale, taxonomy), score: { value, preliminary } };
  // The stored view pairs each kind with its own unit, which the fields one by one do not show.
  return item as SearchBody['items'][number];
}

function newestMeasurement(entries: readonly PublishedListing[]): string | null {
  const measured = entries.flatMap(({ view }) => (view.metrics ? [view.metrics.measured_at] : []));
  const newest = measured.reduce((latest, at) => (at > latest ? at : latest), '');
  return newest === '' ? null : showInstant(newest);
}

function presentRecord({ id, view }: PublishedListing, locale: Locale, taxonomy: Taxonomy) {
  return {
    slug: id,
    kind: view.kind,
    subtype: view.subtype,
    title: inLanguage(view.title, locale) ?? view.username,
    username: view.username,
    summary: view.summary && inLanguage(view.summary, locale),
    language: view.language,
    category: presentCategory(view, locale, taxonomy),
    audience: view.audience,
    verified: view.verified,
    flags: view.flags,
    image_url: view.image_url,
    page_url: view.page_url,
    open_url: view.open_url,
    updated_at: showInstant(view.updated_at),
  };
}

function presentCategory({ category }: PublishedView, locale: Locale, taxonomy: Taxonomy) {
  if (category === null) return null;
  return { slug: category, title: titleOf(taxonomy, category)[locale] };
}

function presentScore(score: Score, locale: Locale): Listing['score'] {
  const titles = textsIn(locale).scoreParts;
  const { value, ...rest } = score;
  return {
    value,
    scale: 100,
    ...rest,
    breakdown: score.breakdown.map(({ key, ...numbers }) => ({ key, title: titles[key], ...numbers })),
  };
}
