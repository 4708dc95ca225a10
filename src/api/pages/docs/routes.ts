import { renderText } from '../../http/rendering.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../messages/texts.ts';
import { OPEN, type Route } from '../../route.ts';
import { GUIDE_POLICY, REFERENCE_POLICY } from '../shell/browser-policy.ts';
import { type Frame, frameAt } from '../shell/frame.ts';
import type { Html } from '../shell/html.ts';
import { CACHE_CONTROL, HTML_TYPE, type PageParts } from '../shell/page-route.ts';
import { guidePage } from './guide.ts';
import { referencePage } from './reference.ts';
import { type Facts, type Writing, writingIn } from './writing.ts';

/** The developer page and the reference in each language. They are made once: nothing else on them changes. */
export function docsRoutes(
  facts: Facts,
  { assets, hasAccounts }: Pick<PageParts, 'assets' | 'hasAccounts'>,
): readonly Route[] {
  const page = (path: string, locale: Locale, policy: readonly string[], make: MakePage): Route => ({
    ...OPEN,
    path,
    policy,
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
  return [
    defaultPage,
    ...LOCALES.flatMap((locale) => [
      page(`/docs/${locale}`, locale, GUIDE_POLICY, guidePage),
      page(`/docs/${locale}/reference`, locale, REFERENCE_POLICY, referencePage),
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
