import { renderText, type Rendering } from '../http/rendering.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../messages/texts.ts';
import { unknownRoute } from '../problems.ts';
import type { Route } from '../route.ts';
import { readAssets, type Assets } from './assets.ts';
import { guidePage } from './guide.ts';
import type { Html } from './html.ts';
import { GUIDE_POLICY, REFERENCE_POLICY } from './policies.ts';
import { referencePage } from './reference.ts';
import { writingIn, type Facts, type Writing } from './writing.ts';

/**
 * The addresses for people: the developer page and the reference in each language, and the files that they load. They
 * need no key, and their queries are not read. They are made once, because nothing on them changes while this runs.
 */
export function pageRoutes(facts: Facts): readonly Route[] {
  const assets = readAssets();
  return [
    defaultPage,
    ...LOCALES.flatMap((locale) => {
      const writing = writingIn(locale, facts);
      return [guide(writing, assets), reference(writing, assets)];
    }),
    files(assets),
  ];
}

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

function guide(writing: Writing, assets: Assets): Route {
  const page = rendered(guidePage(writing, assets), writing.locale);
  return pageRoute(`/docs/${writing.locale}`, GUIDE_POLICY, page);
}

function reference(writing: Writing, assets: Assets): Route {
  const page = rendered(referencePage(writing, assets), writing.locale);
  return pageRoute(`/docs/${writing.locale}/reference`, REFERENCE_POLICY, page);
}

function pageRoute(path: string, policy: readonly string[], page: Rendering): Route {
  return { ...OPEN, path, policy, cacheControl: CACHE_CONTROL, answer: async () => page };
}

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
