import { LOCALES } from '../../texts/texts.ts';
import { problem, unknownRoute } from '../problems.ts';
import { OPEN, type Route } from '../route.ts';
import { categories, category } from './categories/page.ts';
import { docsRoutes } from './docs/routes.ts';
import { entry } from './entries/page.ts';
import { front } from './root-redirect.ts';
import { home } from './home/page.ts';
import { searchLimit } from './search/rate-limit.ts';
import { searchPage } from './search/page.ts';
import type { Assets } from './shell/assets.ts';
import { openPage, type PageParts, pageRoutes as routesOf } from './shell/page-route.ts';
import { KEPT_FOR_GOOD } from './shell/reply.ts';
import { robots, sitemapRoutes } from './sitemap/routes.ts';
import { badge, incidentFeed, statusPage } from './status/page.ts';

/** The addresses for people, and the files that they load. They need no key. */
export function pageRoutes(parts: PageParts): readonly Route[] {
  const { assets } = parts;
  const catalog = [home, searchPage(searchLimit(parts)), categories, category, entry];
  return [
    front,
    ...docsRoutes(parts),
    ...[...catalog, statusPage, incidentFeed, badge].flatMap((page) => routesOf(page, parts)),
    ...sitemapRoutes(parts),
    robots,
    ...nothingElse(parts),
    files(assets),
  ];
}

/** Last of all: whatever else is asked for below a language is refused by a page. */
function nothingElse(parts: PageParts): readonly Route[] {
  return LOCALES.flatMap((locale) => [
    {
      ...OPEN,
      path: `/${locale}/`,
      cacheControl: 'no-store',
      answer: async () => ({ redirect: `../${locale}` }),
    },
    {
      ...openPage(locale, parts),
      path: `/${locale}/*rest`,
      answer: async () => {
        // The page of the refusal says whether it is.
        await parts.sample.isServed();
        return problem('unknown_route');
      },
    },
  ]);
}

function files(assets: Assets): Route {
  return {
    ...OPEN,
    path: '/assets/:name',
    cacheControl: KEPT_FOR_GOOD,
    answer: async ({ publicUrl }, { path }) => assets.find(path['name'] ?? '') ?? unknownRoute(publicUrl),
  };
}
