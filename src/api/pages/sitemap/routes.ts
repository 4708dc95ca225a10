import type { Documents } from '../../../stores/documents/port.ts';
import { createConfirmedValue, type ConfirmedValue } from '../../../platform/cache/confirmed-value.ts';
import { memoizeLatest } from '../../../platform/once.ts';
import { VIEW } from '../../../stores/time-limit.ts';
import { showInstant } from '../../../platform/time/instant.ts';
import type { ListingView } from '../../../../projections/listings/document.ts';
import { renderText } from '../../http/response/representation.ts';
import { type Locale, LOCALES } from '../../../texts/texts.ts';
import { unknownRoute } from '../../problems.ts';
import type { CatalogReader } from '../../reading/catalog-reader.ts';
import { OPEN, type Route } from '../../route.ts';
import { GUIDE_PAGES, guidePlace } from '../docs/guide-sections.ts';
import { paths } from '../shell/page-context.ts';
import { type Html, xml } from '../shell/html.ts';
import { CACHE_CONTROL, fixedRoute, type PageParts, XML } from '../shell/page-route.ts';

/**
 * The sitemap (sitemaps.org, 0.9): an index, a shard for the pages of the catalog itself, and shards of entries. All entries
 * are read at most once in `KEPT_MS`, and only while somebody asks.
 */

const KEPT_MS = 30_000;
/** Entries in a shard, each with an address in every language: well below the 50,000 and 50 MB of the protocol. */
const SHARD = 5000;
const XML_TYPE = 'application/xml; charset=utf-8';

interface SitemapEntry {
  readonly slug: string;
  readonly updatedAt: string;
}

export function sitemapRoutes(parts: PageParts): readonly Route[] {
  const { responses, clock, documents } = parts;
  const entriesOf = memoizeLatest((collection): ConfirmedValue<readonly SitemapEntry[]> =>
    createConfirmedValue({
      read: () => readAll(documents, collection),
      clock,
      minMs: KEPT_MS,
      costFactor: 0,
    }),
  );
  const entriesIn = async (reading: CatalogReader) =>
    await entriesOf((await reading.live('listings')).collection).current();
  const common = { ...OPEN, cacheControl: CACHE_CONTROL } as const;
  const shown = (name: string, stamps: readonly (string | object)[], view: () => Html) =>
    responses.of(name, stamps, () => renderText(XML + String(view()), XML_TYPE, []));
  return [
    {
      ...common,
      path: '/sitemap.xml',
      answer: async ({ reading, publicUrl }) => {
        const entries = await entriesIn(reading);
        return shown('sitemap', [entries, publicUrl], () => index(entries, publicUrl));
      },
    },
    {
      ...common,
      path: '/sitemaps/:name',
      answer: async ({ reading, publicUrl }, { path }) => {
        const name = path['name'] ?? '';
        if (name === 'pages.xml') return shown(name, [publicUrl], () => pages(publicUrl));
        const [, digits] = /^entries-([1-9]\d{0,4})\.xml$/.exec(name) ?? [];
        if (digits === undefined) return unknownRoute(publicUrl);
        const entries = await entriesIn(reading);
        const shard = entries.slice((Number(digits) - 1) * SHARD, Number(digits) * SHARD);
        if (shard.length === 0) return unknownRoute(publicUrl);
        return shown(name, [entries, publicUrl], () => entryShard(shard, publicUrl));
      },
    },
  ];
}

export const robots = fixedRoute('/robots.txt', (publicUrl) => {
  const text = `User-agent: *\nDisallow: /api/\nSitemap: ${publicUrl}/sitemap.xml\n`;
  return renderText(text, 'text/plain; charset=utf-8', []);
});

async function readAll(
  documents: Pick<Documents, 'scan'>,
  collection: string,
): Promise<readonly SitemapEntry[]> {
  const listed: SitemapEntry[] = [];
  for await (const batch of documents.scan<{ readonly view: ListingView }>(collection, VIEW)) {
    for (const { id, body } of batch) {
      if (body.view.published) listed.push({ slug: id, updatedAt: showInstant(body.view.updated_at) });
    }
  }
  return listed;
}

function index(entries: readonly SitemapEntry[], publicUrl: string): Html {
  const shards = Array.from({ length: Math.ceil(entries.length / SHARD) }, (_, shard) => {
    const dates = entries.slice(shard * SHARD, (shard + 1) * SHARD).map(({ updatedAt }) => updatedAt);
    return { name: `entries-${shard + 1}.xml`, updatedAt: dates.reduce((a, b) => (a > b ? a : b)) };
  });
  return xml`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>${publicUrl}/sitemaps/pages.xml</loc></sitemap>
${shards.map(({ name, updatedAt }) => xml`<sitemap><loc>${publicUrl}/sitemaps/${name}</loc><lastmod>${updatedAt}</lastmod></sitemap>\n`)}</sitemapindex>`;
}

function pages(publicUrl: string): Html {
  const { home, search, categories, status, guide, reference } = paths;
  const places = [home, search, categories, status, guide, ...GUIDE_PAGES.map(guidePlace), reference];
  return urlset(places.flatMap((place) => urls(place, null, publicUrl)));
}

function entryShard(shard: readonly SitemapEntry[], publicUrl: string): Html {
  return urlset(shard.flatMap(({ slug, updatedAt }) => urls(paths.entry(slug), updatedAt, publicUrl)));
}

/** A page in each language. */
function urls(
  place: (locale: Locale) => string,
  updatedAt: string | null,
  publicUrl: string,
): readonly Html[] {
  const alike = LOCALES.map(
    (locale) => xml`<xhtml:link rel="alternate" hreflang="${locale}" href="${publicUrl}/${place(locale)}"/>`,
  );
  const changed = updatedAt !== null && xml`<lastmod>${updatedAt}</lastmod>`;
  return LOCALES.map(
    (locale) => xml`<url><loc>${publicUrl}/${place(locale)}</loc>${changed}${alike}</url>\n`,
  );
}

function urlset(all: readonly Html[]): Html {
  return xml`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${all}</urlset>`;
}
