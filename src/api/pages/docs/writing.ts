import type { Policy } from '../../../monitor/policy.ts';
import { fill, type Locale, type Values } from '../../messages/texts.ts';
import { BASE } from '../../api-route.ts';
import { type Inline, link, term, type Text } from './blocks.ts';
import { en } from './texts/en.ts';
import { ru } from './texts/ru.ts';

/** What the pages say of this very installation. */
export interface Facts {
  /** Requests per key and UTC day. */
  readonly dailyLimit: number;
  readonly policy: Policy;
  /** Whether there are pages of accounts here, where readers make keys. */
  readonly hasAccounts: boolean;
}

/** What the sections of a page are written with: the facts, and one language. */
export interface Writing extends Facts {
  readonly locale: Locale;
  /** Links within this host begin with it: relative on a page, absolute in what is read elsewhere. */
  readonly root: string;
  /** Absolute links and snippets begin with it. */
  readonly publicUrl: string;
  /** The address that all requests with a key begin with. */
  readonly base: string;
  readonly texts: PageTexts;
  readonly prose: Prose;
  /** A number as this language groups its digits. */
  readonly number: (value: number, decimals?: number) => string;
}

export function writingIn(locale: Locale, publicUrl: string, facts: Facts, root: string): Writing {
  const base = `${publicUrl}${BASE}`;
  // Russian leaves four digits together, English does not.
  const useGrouping = locale === 'ru' ? 'min2' : true;
  const number = (value: number, decimals = 0) =>
    value.toLocaleString(locale, {
      useGrouping,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  const prose = createProse(locale, { url: publicUrl, base, locale, root, limit: number(facts.dailyLimit) });
  return { ...facts, locale, root, publicUrl, base, texts: PAGE_TEXTS[locale], prose, number };
}

/**
 * Running text, as the texts write it: `code` between backticks, [words](address) for a link, *words* that matter.
 * `{places}` are filled in after that, so a value is never taken for markup.
 */
export type Prose = (text: string, values?: Values) => Text;

export function createProse(locale: Locale, always: Values): Prose {
  return (text, values = {}) => {
    const filled = (piece = '') => fill(piece, { ...always, ...values }, locale);
    const pieces: Inline[] = [];
    let end = 0;
    for (const match of text.matchAll(/`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)|\*([^*]+)\*/g)) {
      const [whole, code, words, address, strong] = match;
      pieces.push(filled(text.slice(end, match.index)));
      if (code !== undefined) pieces.push(term(filled(code)));
      else if (strong !== undefined) pieces.push({ kind: 'strong', text: filled(strong) });
      else pieces.push(link([filled(words)], filled(address)));
      end = match.index + whole.length;
    }
    return [...pieces, filled(text.slice(end))];
  };
}

/** Everything that the developer pages say, in one language. */
export type PageTexts = typeof en;

export const PAGE_TEXTS: Readonly<Record<Locale, PageTexts>> = { ru, en };
