import { fill, type Values } from '../../../texts/fill.ts';
import { type Locale, TEXTS } from '../../../texts/texts.ts';
import { formats } from '../../../texts/formats.ts';
import type { Assets } from './assets.ts';

/** What every page is written with: a language, the place that it stands at, and the files that it loads. */
export type PageContext = ReturnType<typeof pageContextAt>;

interface PageContextOptions {
  readonly locale: Locale;
  /** Absolute links begin with it. */
  readonly publicUrl: string;
  readonly assets: Assets;
  /** Whether there are pages of accounts here, for readers to be led to. */
  readonly hasAccounts: boolean;
  /** Whether the page shows the sample, and has to say so. */
  readonly isSample: boolean;
}

/** More parts than the path of any page has. */
const MAX_PARTS = 5;

/** `target` is what was asked for, a path from the root on. */
export function pageContextAt(target: string, { locale, publicUrl, ...options }: PageContextOptions) {
  const [path = ''] = target.split('?');
  const above = Math.max(0, path.split('/').length - 2);
  return {
    ...options,
    locale,
    publicUrl,
    /**
     * Leads from the page to the root of the host: all links are relative, so pages work behind any prefix. Not where no page
     * can stand: a way up from there would be as long as the address that somebody made up.
     */
    root: above < MAX_PARTS ? '../'.repeat(above) : `${publicUrl}/`,
    shell: TEXTS[locale].shell,
    format: formats(locale),
    /** A text with its places filled. */
    say: (text: string, values: Values) => fill(text, values, locale),
  };
}

/** Pages of the catalog, from the root of the host on, each in one language. Parts of paths are percent-encoded. */
export const paths = {
  home: (locale: Locale) => locale,
  search: (locale: Locale) => `${locale}/search`,
  categories: (locale: Locale) => `${locale}/categories`,
  category: (slug: string) => (locale: Locale) => `${locale}/categories/${encodeURIComponent(slug)}`,
  entry: (slug: string) => (locale: Locale) => `${locale}/entries/${encodeURIComponent(slug)}`,
  status: (locale: Locale) => `${locale}/status`,
  incidents: (locale: Locale) => `${locale}/status/incidents.atom`,
  badge: (locale: Locale) => `${locale}/status/badge.svg`,
  account: (locale: Locale) => `${locale}/account`,
  guide: (locale: Locale) => `docs/${locale}`,
  changelogFeed: (locale: Locale) => `docs/${locale}/changelog.atom`,
  reference: (locale: Locale) => `docs/${locale}/reference`,
} as const;
