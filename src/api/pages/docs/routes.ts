import { renderJson, renderText } from '../../http/rendering.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../messages/texts.ts';
import { OPEN, type Route } from '../../route.ts';
import { DOCS_POLICY } from '../shell/browser-policy.ts';
import { type Frame, frameAt } from '../shell/frame.ts';
import type { Html } from '../shell/html.ts';
import { CACHE_CONTROL, HTML_TYPE, type PageParts } from '../shell/page-route.ts';
import { guidePage } from './guide.ts';
import { searchIndex } from './search-index.ts';
import { referencePage } from './reference/page.ts';
import { type Facts, type Writing, writingIn } from './writing.ts';

/** The developer page and the reference in each language. They are made once: nothing else on them changes. */
export function docsRoutes(
  facts: Facts,
  { assets, hasAccounts }: Pick<PageParts, 'assets' | 'hasAccounts'>,
): readonly Route[] {
  const page = (path: string, locale: Locale, make: MakePage): Route => ({
    ...OPEN,
    path,
    policy: DOCS_POLICY,
    cacheControl: CACHE_CONTROL,
    answer: async ({ renderings, publicUrl }) =>
      renderings.of(path, [publicUrl], () => {
        const markup = make(
          writingIn(locale, publicUrl, facts),
          frameAt(path, { locale, publicUrl, assets, hasAccounts }),
        );
        return renderText(String(markup), HTML_TYPE, [locale]);
      }),
  });
  const index = (locale: Locale): Route => {
    const path = `/docs/${locale}/index.json`;
    return {
      ...OPEN,
      path,
      cacheControl: CACHE_CONTROL,
      answer: async ({ renderings, publicUrl }) =>
        renderings.of(path, [publicUrl], () =>
          renderJson(searchIndex(writingIn(locale, publicUrl, facts)), locale),
        ),
    };
  };
  return [
    defaultPage,
    ...LOCALES.flatMap((locale) => [
      page(`/docs/${locale}`, locale, guidePage),
      page(`/docs/${locale}/reference`, locale, referencePage),
      index(locale),
    ]),
  ];
}

type MakePage = (writing: Writing, frame: Frame) => Html;

const defaultPage: Route = {
  ...OPEN,
  path: '/docs',
  cacheControl: CACHE_CONTROL,
  answer: async () => ({ redirect: `docs/${DEFAULT_LOCALE}` }),
};
