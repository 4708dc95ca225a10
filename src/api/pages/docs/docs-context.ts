import { BASE } from '../../api-route-contract.ts';
import type { PageContext } from '../shell/page-context.ts';
import type { PageParts } from '../shell/page-route.ts';
import { type Locale, type Texts, TEXTS } from '../../../texts/texts.ts';
import { fill } from '../../../texts/fill.ts';
import { guideConstants } from './guide-constants.ts';
import { lineHtml } from './markdown-html.ts';
import type { Guide } from './guide-sections.ts';

/** What the pages say of this very installation. */
type Facts = Pick<PageParts, 'dailyLimit' | 'policy' | 'hasAccounts'>;

/** Where and in which language a page stands. */
export interface Setting extends Facts {
  readonly locale: Locale;
  /** Links within this host begin with it: relative on a page, absolute in what is read elsewhere. */
  readonly root: string;
  /** Absolute links and snippets begin with it. */
  readonly publicUrl: string;
  /** The address that all requests with a key begin with. */
  readonly base: string;
  readonly texts: Texts['docs'];
}

/** What the developer pages are written with. */
export type DocsContext = ReturnType<typeof docsContextIn>;

/** What their pages are written with. */
export type DocsPageContext = DocsContext & PageContext;

export function docsContextIn(
  locale: Locale,
  publicUrl: string,
  { guide, ...facts }: Facts & { readonly guide: Guide },
  root: string,
) {
  const base = `${publicUrl}${BASE}`;
  const setting: Setting = { ...facts, locale, root, publicUrl, base, texts: TEXTS[locale].docs };
  const constants = guideConstants(setting);
  /** A text with its constants filled in. */
  const filled = (text: string) => fill(text, constants, locale);
  /** A text of one line, in Markdown. */
  const prose = (text: string) => lineHtml(filled(text));
  return { ...setting, guide, fill: filled, prose };
}
