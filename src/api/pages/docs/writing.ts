import type { Policy } from '../../../monitor/policy.ts';
import type { Locale } from '../../messages/texts.ts';
import { BASE } from '../../api-route.ts';
import type { Html } from '../shell/html.ts';
import { fillConstants, guideConstants } from './constants.ts';
import { lineHtml } from './markdown-html.ts';
import type { Guide } from './sections.ts';
import en from './texts/en.json' with { type: 'json' };
import ru from './texts/ru.json' with { type: 'json' };

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
  readonly texts: PageTexts;
}

/** What the developer pages are written with. */
export interface Writing extends Setting {
  readonly guide: Guide;
  /** A text with its constants filled in. */
  readonly fill: (text: string) => string;
  /** A text of one line, in Markdown. */
  readonly prose: (text: string) => Html;
}

export function writingIn(
  locale: Locale,
  publicUrl: string,
  { guide, ...facts }: Facts & Pick<Writing, 'guide'>,
  root: string,
): Writing {
  const base = `${publicUrl}${BASE}`;
  const setting = { ...facts, locale, root, publicUrl, base, texts: PAGE_TEXTS[locale] };
  const constants = guideConstants(setting);
  const fill = (text: string) => fillConstants(text, constants);
  return { ...setting, guide, fill, prose: (text) => lineHtml(fill(text)) };
}

/** Everything that the developer pages say outside of the guide, in one language. */
export type PageTexts = typeof en;

export const PAGE_TEXTS: Readonly<Record<Locale, PageTexts>> = { ru, en };
