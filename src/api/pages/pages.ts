import { renderText, type Rendering } from '../http/rendering.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../messages/texts.ts';
import { unknownRoute } from '../problems.ts';
import type { Route } from '../route.ts';
import { readAssets, type Assets } from './assets.ts';
import { front } from './front.ts';
import { guidePage } from './guide.ts';
import type { Html } from './html.ts';
import { GUIDE_POLICY, REFERENCE_POLICY } from './policies.ts';
import { referencePage } from './reference.ts';
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
        rendered(make(writingIn(locale, publicUrl, facts), assets), locale),
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

function rendered({ markup }: Html, locale: Locale): Rendering {
  return renderText(markup, 'text/html; charset=utf-8', [locale]);
}
