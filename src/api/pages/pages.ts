import type { IncomingHttpHeaders } from 'node:http';

import { fields } from '../http/headers.ts';
import { renderText } from '../http/rendering.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../messages/texts.ts';
import { unknownRoute } from '../problems.ts';
import type { Route } from '../route.ts';
import { readAssets, type Assets } from './assets.ts';
import type { Html } from './blocks.ts';
import { guidePage, referencePage } from './guide.ts';
import { writingIn, type Facts, type Writing } from './writing.ts';

/**
 * The addresses for people: the developer page and the reference in each language, and the files that they load. They
 * need no key, and their queries are not read.
 */
export function pageRoutes(facts: Facts): readonly Route[] {
  const assets = readAssets();
  const page = (path: string, locale: Locale, policy: readonly string[], make: MakePage): Route => ({
    ...OPEN,
    path,
    policy,
    cacheControl: CACHE_CONTROL,
    // Nothing else on a page changes while this runs.
    answer: async ({ renderings, publicUrl }) =>
      renderings.of(path, [publicUrl], () =>
        renderText(make(writingIn(locale, publicUrl, facts), assets).markup, HTML_TYPE, [locale]),
      ),
  });
  return [
    front,
    defaultPage,
    ...LOCALES.flatMap((locale) => [
      page(`/docs/${locale}`, locale, GUIDE_POLICY, guidePage),
      page(`/docs/${locale}/reference`, locale, REFERENCE_POLICY, referencePage),
    ]),
    files(assets),
  ];
}

type MakePage = (writing: Writing, assets: Assets) => Html;

/** Kept, and asked about each time: a page names the files of its own release. */
const CACHE_CONTROL = 'public, no-cache';
const HTML_TYPE = 'text/html; charset=utf-8';
const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';

const OPEN = { needsKey: false, parameters: {}, ignoresQuery: true } as const;

const defaultPage: Route = {
  ...OPEN,
  path: '/docs',
  cacheControl: CACHE_CONTROL,
  answer: async () => ({ redirect: `docs/${DEFAULT_LOCALE}` }),
};

function files(assets: Assets): Route {
  return {
    ...OPEN,
    path: '/docs/assets/:name',
    cacheControl: KEPT_FOR_GOOD,
    answer: async ({ publicUrl }, { path }) => assets.find(path['name'] ?? '') ?? unknownRoute(publicUrl),
  };
}

/**
 * What browsers may do with the pages: load what comes from this very host, and nothing else from anywhere; run no
 * script and apply no style that stands in the markup; send no form; stand in no frame.
 */
function browserPolicy(allowed: readonly string[]): readonly string[] {
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return fields({
    'Content-Security-Policy': directives.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
}

const GUIDE_POLICY = browserPolicy(["img-src 'self'"]);
/** The reference asks the API, and its stylesheet holds its icons. */
const REFERENCE_POLICY = browserPolicy(["img-src 'self' data:", "connect-src 'self'"]);

/**
 * The address that the service prints when it starts. A browser is sent to the developer page in its language; there is
 * nothing here for any other client, which is told where that page is.
 */
const front: Route = {
  ...OPEN,
  path: '/',
  // It depends on what the browser says of itself.
  cacheControl: 'no-store',
  answer: async ({ publicUrl }, { headers }) =>
    wantsPage(headers) ? { redirect: `docs/${languageOf(headers)}` } : unknownRoute(publicUrl),
};

/** Browsers name HTML; other clients take anything, or name nothing. */
function wantsPage({ accept = '' }: IncomingHttpHeaders): boolean {
  return weightsOf(accept).some(({ name, weight }) => name === 'text/html' && weight > 0);
}

/** For whoever reads neither of ours, English. */
function languageOf({ 'accept-language': accepted }: IncomingHttpHeaders): Locale {
  if (accepted === undefined) return DEFAULT_LOCALE;
  const [best] = weightsOf(accepted)
    .flatMap(({ name, weight }) => {
      const locale = LOCALES.find((known) => name === known || name.startsWith(`${known}-`));
      return locale !== undefined && weight > 0 ? [{ locale, weight }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  return best?.locale ?? 'en';
}

/** The elements of a list with weights (RFC 9110, section 12.4.2), in their order, without further parameters. */
function weightsOf(header: string): readonly { readonly name: string; readonly weight: number }[] {
  return header.split(',').map((element) => {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    const [, weight = '1'] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters.at(-1) ?? '') ?? [];
    return { name, weight: Number(weight) };
  });
}
