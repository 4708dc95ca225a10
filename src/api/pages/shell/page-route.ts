import type { Clock } from '../../../platform/time/clock.ts';
import type { SampleSign } from '../../../stores/sample-sign.ts';
import type { ReadDocuments } from '../../../stores/time-limit.ts';
import type { Policy } from '../../../monitor/policy.ts';
import { DATA_POLICY } from '../../http/response/headers.ts';
import type { ResponseCache, Stamp } from '../../http/response/response-cache.ts';
import { renderText, type Representation } from '../../http/response/representation.ts';
import { type Locale, LOCALES } from '../../../texts/texts.ts';
import type { Problem } from '../../problems.ts';
import { OPEN, type Redirect, type Route, type RouteContext, type RouteRequest } from '../../route.ts';
import type { Assets } from './assets.ts';
import { CATALOG_POLICY } from './browser-policy.ts';
import { type PageContext, pageContextAt, paths } from './page-context.ts';
import type { Html } from './html.ts';
import { refusalPage } from './refusal.ts';
import { HTML_TYPE } from './reply.ts';
import type { Parameters, ValuesOf } from '../../http/parameters.ts';
import type { QueryParameter } from '../../http/query-string.ts';

/** What the pages of the catalog are made with, beside what every route may use. */
export interface PageParts {
  readonly assets: Assets;
  /** Whether there are pages of accounts here, where readers make keys. */
  readonly hasAccounts: boolean;
  readonly sample: SampleSign;
  /** Apart from the API's: pages are large, and must not push its answers out of memory. */
  readonly responses: ResponseCache;
  readonly clock: Clock;
  /** All entries, for the sitemap. */
  readonly documents: Pick<ReadDocuments, 'scan'>;
  /** Requests per key and UTC day. */
  readonly dailyLimit: number;
  readonly policy: Policy;
}

/** One request for a page. */
export interface Visit extends Pick<RouteContext, 'reading' | 'status' | 'publicUrl'> {
  readonly context: PageContext;
  readonly request: RouteRequest;
  readonly parts: PageParts;
}

/** What a page is made of: as long as all stamps stay, the page does too. */
export interface PageContent {
  /** Whatever varies beside the language. */
  readonly varying?: readonly (string | number | null)[];
  readonly stamps?: readonly Stamp[];
  readonly view: () => Html;
}

export interface PageDefinition extends Pick<Route, 'outlivesStores' | 'policy'> {
  /** Where it stands in each language, from the root of the host on, as Express writes it. */
  readonly place: (locale: Locale) => string;
  /** The type of a content that is XML. Default: HTML. */
  readonly xmlType?: string;
  answer(visit: Visit): Promise<PageContent | Problem | Redirect>;
}

/** Kept, and asked about each time: pages are as fresh as the API. */
export const CACHE_CONTROL = 'public, no-cache';

export const XML = '<?xml version="1.0" encoding="utf-8"?>\n';

/** The addresses of a page, one for each language. Whatever is refused there is said by a page, too. */
export function pageRoutes(page: PageDefinition, parts: PageParts): readonly Route[] {
  const { place, xmlType, ...own } = page;
  return LOCALES.map((locale) => {
    const path = `/${place(locale)}`;
    const made = (markup: Html) =>
      xmlType === undefined
        ? renderPage(markup, locale)
        : renderText(XML + String(markup), xmlType, [locale]);
    return {
      ...openPage(locale, parts, path.includes(':') ? paths.home : place),
      ...(xmlType === undefined ? {} : { policy: DATA_POLICY }),
      ...own,
      path,
      answer: async ({ reading, status, publicUrl }, request) => {
        const isSample = await parts.sample.isServed();
        const { assets, hasAccounts } = parts;
        const context = pageContextAt(path, { locale, publicUrl, assets, hasAccounts, isSample });
        const content = await page.answer({ reading, status, publicUrl, context, request, parts });
        if (!('view' in content)) return content;
        const { varying = [], stamps = [], view } = content;
        const key = JSON.stringify([path, isSample, ...varying]);
        return parts.responses.of(key, [publicUrl, ...stamps], () => made(view()));
      },
    };
  });
}

/** An address that answers the same as long as the process runs. */
export function fixedRoute(path: string, make: (publicUrl: string) => Representation): Route {
  return {
    ...OPEN,
    path,
    cacheControl: CACHE_CONTROL,
    answer: async ({ responses, publicUrl }) => responses.of(path, [publicUrl], () => make(publicUrl)),
  };
}

/** What all routes of pages in a language have. `elsewhere` is where a refusal leads in another language. */
export function openPage(
  locale: Locale,
  { assets, hasAccounts, sample }: PageParts,
  elsewhere: (other: Locale) => string = paths.home,
) {
  return {
    ...OPEN,
    policy: CATALOG_POLICY,
    cacheControl: CACHE_CONTROL,
    problemPage: (problem, { target, publicUrl }) => {
      const isSample = sample.wasServed();
      const context = pageContextAt(target, { locale, publicUrl, assets, hasAccounts, isSample });
      return renderPage(refusalPage(problem, context, elsewhere), locale);
    },
  } satisfies Partial<Route>;
}

function renderPage(markup: Html, locale: Locale): Representation {
  return renderText(String(markup), HTML_TYPE, [locale]);
}

/**
 * Reads the query of a page: people come with whatever somebody else has put into a link. Of each parameter the first
 * value that is one counts; what is unknown or wrong is passed over, as if it were not there.
 */
export function readLeniently<P extends Parameters>(
  parameters: P,
  sent: readonly QueryParameter[],
): ValuesOf<P> {
  const values = Object.entries(parameters).map(([name, { schema, absent }]) => {
    const read = sent
      .filter((one) => one.name === name)
      .map(({ value }) => schema.safeParse(value))
      .find(({ success }) => success);
    return [name, (read ?? absent).data] as const;
  });
  return Object.fromEntries(values) as ValuesOf<P>;
}
