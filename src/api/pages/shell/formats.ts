import { fill, type Locale } from '../../messages/texts.ts';
import { SHELL_TEXTS } from './texts.ts';

/** Forms of a phrase by number; a language uses those of its plural rules (CLDR). `{count}` is the number. */
export interface Plural {
  readonly one: string;
  readonly few: string;
  readonly many: string;
  readonly other: string;
}

/** Numbers, dates and lengths of time as a language writes them. All times are UTC. */
export interface Formats {
  /** A dash for null, as in all that takes it. */
  number(value: number | null, decimals?: number): string;
  /** With its sign. */
  signed(value: number, decimals?: number): string;
  percent(value: number | null, decimals?: number): string;
  /** The form for this many, with `{count}` filled in. */
  plural(forms: Plural, count: number): string;
  /** A day, `2026-01-31` or an instant: 31 January 2026. */
  day(instant: string): string;
  /** Without the year. */
  shortDay(instant: string): string;
  /** With the minute, and UTC. */
  moment(instant: string | null): string;
  /** Of the two largest units that it has. */
  duration(seconds: number | null): string;
  /** What a language is called, by its BCP 47 tag, and a country, by its ISO 3166 code; the code itself if it is none. */
  language(tag: string): string;
  country(code: string): string;
}

export function formatsIn(locale: Locale): Formats {
  // Russian leaves four digits together, English does not.
  const useGrouping = locale === 'ru' ? 'min2' : true;
  const plurals = new Intl.PluralRules(locale);
  const { units } = SHELL_TEXTS[locale];
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'ru', { timeZone: 'UTC', ...options });
    // No line begins with the short Russian word for a year.
    return (instant: string) => format.format(new Date(instant)).replace(' г.', '\u00a0г.');
  };
  const time = dates({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
  const orDash = <T>(value: T | null, write: (known: T) => string) => (value === null ? '—' : write(value));
  const number = (value: number, decimals = 0, signDisplay: 'auto' | 'exceptZero' = 'auto') =>
    value
      .toLocaleString(locale, {
        useGrouping,
        signDisplay,
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      })
      // As wide as a plus, which it stands below.
      .replace('-', '\u2212');
  const names = (type: 'language' | 'region') => {
    const known = new Intl.DisplayNames(locale, { type, fallback: 'none' });
    return (code: string) => {
      try {
        const name = known.of(code);
        return name === undefined ? code : inHeading(name, locale);
      } catch {
        // Upstream may write anything.
        return code;
      }
    };
  };
  const durationOf = (seconds: number) => {
    const sizes = [
      [86_400, units.d],
      [3600, units.h],
      [60, units.min],
      [1, units.s],
    ] as const;
    let rest = Math.round(seconds);
    const parts: string[] = [];
    for (const [size, unit] of sizes) {
      const count = Math.floor(rest / size);
      rest -= count * size;
      if (count > 0) parts.push(`${number(count)}\u00a0${unit}`);
    }
    return parts.slice(0, 2).join(' ') || `0\u00a0${units.s}`;
  };
  return {
    language: names('language'),
    country: names('region'),
    number: (value, decimals) => orDash(value, (known) => number(known, decimals)),
    signed: (value, decimals) => number(value, decimals, 'exceptZero'),
    percent: (value, decimals = 0) =>
      orDash(value, (known) => `${number(known, decimals)}${locale === 'ru' ? '\u00a0' : ''}%`),
    plural(forms, count) {
      const rule = plurals.select(count);
      const form = rule === 'zero' || rule === 'two' ? 'other' : rule;
      return fill(forms[form], { count: number(count) }, locale);
    },
    day: dates({ day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: dates({ day: 'numeric', month: 'short' }),
    moment: (instant) => orDash(instant, (known) => `${time(known)} UTC`),
    duration: (seconds) => orDash(seconds, durationOf),
  };
}

/** With a large letter first. */
function inHeading(text: string, locale: Locale): string {
  const [first = '', ...rest] = Array.from(text);
  return first.toLocaleUpperCase(locale) + rest.join('');
}

const FORMATS: Readonly<Record<Locale, Formats>> = { ru: formatsIn('ru'), en: formatsIn('en') };

/** They take a while to make, and are the same for all pages of a language. */
export function formats(locale: Locale): Formats {
  return FORMATS[locale];
}
