import type { Policy } from '../../../monitor/policy.ts';
import { BASE } from '../../api-route.ts';
import type { PageContext } from '../shell/page-context.ts';
import type { Html } from '../shell/html.ts';
import { type Locale, type Texts, TEXTS } from '../../../texts/texts.ts';
import { fill } from '../../../texts/fill.ts';
import { guideConstants } from './guide-constants.ts';
import { lineHtml } from './markdown-html.ts';
import type { Guide } from './guide-sections.ts';

/** What the pages say of this very installation. */
export interface Facts {
  /** Requests per key and UTC day. */
  readonly dailyLimit: number;
  readonly policy: Policy;
  /** Whether there are pages of accounts here, where readers make keys. */
  readonly hasAccounts: boolean;
}

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
export interface DocsContext extends Setting {
  readonly guide: Guide;
  /** A text with its constants filled in. */
  readonly fill: (text: string) => string;
  /** A text of one line, in Markdown. */
  readonly prose: (text: string) => Html;
}

/** What their pages are written with. */
export type DocsPageContext = DocsContext & PageContext;

export function docsContextIn(
  locale: Locale,
  publicUrl: string,
  { guide, ...facts }: Facts & Pick<DocsContext, 'guide'>,
  root: string,
): DocsContext {
  const base = `${publicUrl}${BASE}`;
  const setting = { ...facts, locale, root, publicUrl, base, texts: TEXTS[locale].docs };
  const constants = guideConstants(setting);
  const filled = (text: string) => fill(text, constants, locale);
  return { ...setting, guide, fill: filled, prose: (text) => lineHtml(filled(text)) };
}
