import type { Policy } from '../../monitor/state.ts';
import { BASE } from '../route.ts';
import type { Locale } from '../messages/texts.ts';
import { createProse, type Prose } from './prose.ts';
import { PAGE_TEXTS, type PageTexts } from './texts/texts.ts';

/** What the pages say of this very installation. */
export interface Facts {
  /** Requests per key and UTC day. */
  readonly dailyLimit: number;
  readonly policy: Policy;
}

/** What the sections of a page are written with: the facts, and one language. */
export interface Writing extends Facts {
  readonly locale: Locale;
  /** Absolute links and snippets begin with it. */
  readonly publicUrl: string;
  /** The address that all requests with a key begin with. */
  readonly base: string;
  readonly texts: PageTexts;
  readonly prose: Prose;
  /** A number as this language groups its digits. */
  readonly number: (value: number, decimals?: number) => string;
}

export function writingIn(locale: Locale, publicUrl: string, facts: Facts): Writing {
  const base = `${publicUrl}${BASE}`;
  // Russian leaves four digits together, English does not.
  const useGrouping = locale === 'ru' ? 'min2' : true;
  const number = (value: number, decimals = 0) =>
    value.toLocaleString(locale, {
      useGrouping,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  const prose = createProse(locale, { url: publicUrl, base, limit: number(facts.dailyLimit) });
  return { ...facts, locale, publicUrl, base, texts: PAGE_TEXTS[locale], prose, number };
}
