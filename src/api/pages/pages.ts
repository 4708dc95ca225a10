import { renderText } from '../http/rendering.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../messages/texts.ts';
import { unknownRoute } from '../problems.ts';
import { OPEN, type Route } from '../route.ts';
import { type Assets, readAssets } from './assets.ts';
import { GUIDE_POLICY, REFERENCE_POLICY } from './browser-policy.ts';
import { front } from './front.ts';
import { guidePage } from './guide.ts';
import type { Html } from './html.ts';
import { referencePage } from './reference.ts';
import { type Facts, type Writing, writingIn } from './writing.ts';

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
