import { renderJson, renderText, type Representation } from '../../http/response/representation.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../messages/texts.ts';
import { OPEN, type Route } from '../../route.ts';
import { DOCS_POLICY } from '../shell/browser-policy.ts';
import { type Frame, frameAt, paths } from '../shell/frame.ts';
import type { Html } from '../shell/html.ts';
import { CACHE_CONTROL, type PageParts } from '../shell/page-route.ts';
import { HTML_TYPE } from '../shell/reply.ts';
import { changelogFeed } from './changelog.ts';
import { firstPage, guidePage } from './guide.ts';
import { firstMarkdown, llmsText, pageMarkdown } from './markdown.ts';
import { referencePage } from './reference/page.ts';
import { searchIndex } from './search-index.ts';
import { GUIDE_PAGES, guidePlace, readGuide } from './sections.ts';
import { type Facts, type Writing, writingIn } from './writing.ts';

/**
 * The developer pages in each language, and what programs read in their place. They are made once, and once more
 * where the sample begins to be served: nothing else on them changes.
 */
export function docsRoutes(
  installation: Facts,
  { assets, hasAccounts, sample }: Pick<PageParts, 'assets' | 'hasAccounts' | 'sample'>,
) {
  const facts = { ...installation, guide: readGuide() };
  const made = (path: string, make: (publicUrl: string) => Representation): Route => ({
    ...OPEN,
    path,
    cacheControl: CACHE_CONTROL,
    answer: async ({ responses, publicUrl }) => responses.of(path, [publicUrl], () => make(publicUrl)),
  });
  const page = (place: string, locale: Locale, view: (writing: Writing, frame: Frame) => Html): Route => {
    const path = `/${place}`;
    const make = (publicUrl: string, isSample: boolean): Representation => {
      const frame = frameAt(path, { locale, publicUrl, assets, hasAccounts, isSample });
      return renderText(String(view(writingIn(locale, publicUrl, facts, frame.root), frame)), HTML_TYPE, [
        locale,
      ]);
    };
    return {
      ...OPEN,
      path,
      policy: DOCS_POLICY,
      cacheControl: CACHE_CONTROL,
      async answer({ responses, publicUrl }) {
        const isSample = await sample.isServed();
        return responses.of(path, [publicUrl, isSample], () => make(publicUrl, isSample));
      },
    };
  };
  /** For what is read elsewhere: its links are absolute. */
  const apart = (locale: Locale, publicUrl: string) => writingIn(locale, publicUrl, facts, `${publicUrl}/`);
  const markdown = (place: string, locale: Locale, view: (writing: Writing) => string) =>
    made(`/${place}.md`, (publicUrl) => renderText(view(apart(locale, publicUrl)), MARKDOWN_TYPE, [locale]));
  const inLanguage = (locale: Locale): readonly Route[] => [
    page(paths.guide(locale), locale, firstPage),
    markdown(paths.guide(locale), locale, firstMarkdown),
    ...GUIDE_PAGES.flatMap((name) => [
      page(guidePlace(name)(locale), locale, guidePage(name)),
      markdown(guidePlace(name)(locale), locale, pageMarkdown(name)),
    ]),
    page(paths.reference(locale), locale, referencePage),
    made(`/${paths.guide(locale)}/index.json`, (publicUrl) =>
      renderJson(searchIndex(writingIn(locale, publicUrl, facts, '')), locale),
    ),
    made(`/${paths.changelogFeed(locale)}`, (publicUrl) =>
      renderText(XML + String(changelogFeed(apart(locale, publicUrl))), ATOM_TYPE, [locale]),
    ),
  ];
  const llms = made('/llms.txt', (publicUrl) =>
    renderText(
      llmsText((locale) => apart(locale, publicUrl)),
      'text/plain; charset=utf-8',
      ['en'],
    ),
  );
  return [defaultPage, llms, ...LOCALES.flatMap(inLanguage)] satisfies readonly Route[];
}

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const ATOM_TYPE = 'application/atom+xml; charset=utf-8';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

const defaultPage: Route = {
  ...OPEN,
  path: '/docs',
  cacheControl: CACHE_CONTROL,
  answer: async () => ({ redirect: `docs/${DEFAULT_LOCALE}` }),
};
