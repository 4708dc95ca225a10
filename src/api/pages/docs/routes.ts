import { renderJson, renderText } from '../../http/response/representation.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../../texts/texts.ts';
import { OPEN, type Route } from '../../route.ts';
import { DOCS_POLICY } from '../shell/browser-policy.ts';
import { paths } from '../shell/page-context.ts';
import type { Html } from '../shell/html.ts';
import {
  CACHE_CONTROL,
  fixedRoute,
  type PageDefinition,
  type PageParts,
  pageRoutes,
} from '../shell/page-route.ts';
import { changelogFeed } from './changelog-feed.ts';
import { firstPage, guidePage } from './guide.ts';
import { firstMarkdown, llmsText, pageMarkdown } from './guide-markdown.ts';
import { referencePage } from './reference/page.ts';
import { searchIndex } from './search-index.ts';
import { GUIDE_PAGES, guidePlace, readGuide } from './guide-sections.ts';
import { type DocsPageContext, type DocsContext, docsContextIn } from './docs-context.ts';

/** The developer pages in each language, and what programs read in their place. They are the same as long as the process runs. */
export function docsRoutes(parts: PageParts): readonly Route[] {
  const { dailyLimit, policy, hasAccounts } = parts;
  const facts = { dailyLimit, policy, hasAccounts, guide: readGuide() };
  const page = (
    place: PageDefinition['place'],
    view: (context: DocsPageContext) => Html,
  ): PageDefinition => ({
    place,
    policy: DOCS_POLICY,
    answer: async ({ context, publicUrl }) => ({
      view: () => view({ ...context, ...docsContextIn(context.locale, publicUrl, facts, context.root) }),
    }),
  });
  /** For what is read elsewhere: its links are absolute. */
  const apart = (locale: Locale, publicUrl: string) =>
    docsContextIn(locale, publicUrl, facts, `${publicUrl}/`);
  const feed: PageDefinition = {
    place: paths.changelogFeed,
    xmlType: 'application/atom+xml; charset=utf-8',
    answer: async ({ context: { locale }, publicUrl }) => ({
      view: () => changelogFeed(apart(locale, publicUrl)),
    }),
  };
  const markdown = (place: PageDefinition['place'], view: (context: DocsContext) => string) =>
    LOCALES.map((locale) =>
      fixedRoute(`/${place(locale)}.md`, (publicUrl) =>
        renderText(view(apart(locale, publicUrl)), MARKDOWN_TYPE, [locale]),
      ),
    );
  const pages = [
    page(paths.guide, firstPage),
    ...GUIDE_PAGES.map((name) => page(guidePlace(name), guidePage(name))),
    page(paths.reference, referencePage),
    feed,
  ];
  return [
    defaultPage,
    fixedRoute('/llms.txt', (publicUrl) =>
      renderText(
        llmsText((locale) => apart(locale, publicUrl)),
        'text/plain; charset=utf-8',
        ['en'],
      ),
    ),
    ...LOCALES.map((locale) =>
      fixedRoute(`/${paths.guide(locale)}/index.json`, (publicUrl) =>
        renderJson(searchIndex(docsContextIn(locale, publicUrl, facts, '')), locale),
      ),
    ),
    ...markdown(paths.guide, firstMarkdown),
    ...GUIDE_PAGES.flatMap((name) => markdown(guidePlace(name), pageMarkdown(name))),
    ...pages.flatMap((one) => pageRoutes(one, parts)),
  ];
}

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

const defaultPage: Route = {
  ...OPEN,
  path: '/docs',
  cacheControl: CACHE_CONTROL,
  answer: async () => ({ redirect: `docs/${DEFAULT_LOCALE}` }),
};
