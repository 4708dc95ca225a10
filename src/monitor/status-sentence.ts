import type { Indicator } from './overall.ts';
import { type Locale, TEXTS } from '../texts/texts.ts';

interface StatusFacts {
  readonly indicator: Indicator | null;
  readonly flapping: boolean;
  readonly stale: boolean;
  /** Whether the stores have been read since the start: before that nothing can be said of checks. */
  readonly isRead: boolean;
  /** Whether anything has ever been checked. */
  readonly isChecked: boolean;
}

/** The state of the whole platform in a sentence or two, for people, in both languages. */
export function statusSentence({ indicator, flapping, stale, isRead, isChecked }: StatusFacts): {
  ru: string;
  en: string;
} {
  const known = [
    indicator ?? (isChecked ? ('notChecked' as const) : ('neverChecked' as const)),
    ...(flapping ? (['flapping'] as const) : []),
    ...(stale ? (['stale'] as const) : []),
  ];
  const textIn = (locale: Locale) => {
    const { monitor } = TEXTS[locale];
    return isRead ? known.map((name) => monitor[name]).join(' ') : monitor.notRead;
  };
  return { ru: textIn('ru'), en: textIn('en') };
}
