import { type Locale, TEXTS } from './texts.ts';

/**
 * Numbers, dates and lengths of time as a language writes them. All times are UTC. A dash for null, in all that takes it.
 * Each is made when it is first asked for, because that takes a millisecond or more.
 * `isTyped`: with spaces and hyphens as keyboards have them, which are searched for and copied.
 */
export function formatsIn(locale: Locale, isTyped = false) {
  // Russian leaves four digits together, English does not.
  const useGrouping = locale === 'ru' ? 'min2' : true;
  // A number and its unit stand on one line; a minus is as wide as a plus, which it stands below.
  const [space, minus] = isTyped ? [' ', '-'] : ['\u00a0', '\u2212'];
  const { units } = TEXTS[locale].shell;
  const plurals = new Intl.PluralRules(locale);
  const numbers = (decimals?: number, signDisplay: 'auto' | 'exceptZero' = 'auto') => {
    const digits =
      decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    let format: Intl.NumberFormat | undefined;
    return (value: number) => {
      format ??= new Intl.NumberFormat(locale, { useGrouping, signDisplay, ...digits });
      return format.format(value).replace('-', minus);
    };
  };
  const plain = numbers();
  const number = (value: number, decimals?: number) =>
    decimals === undefined ? plain(value) : numbers(decimals)(value);
  const dates = (options: Intl.DateTimeFormatOptions) => {
    let format: Intl.DateTimeFormat | undefined;
    return (instant: string) => {
      format ??= new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'ru', { timeZone: 'UTC', ...options });
      // No line begins with the short Russian word for a year.
      return format.format(new Date(instant)).replace(' г.', '\u00a0г.');
    };
  };
  const time = dates({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
  const orDash = <T>(value: T | null, write: (known: T) => string) => (value === null ? '—' : write(value));
  const names = (type: 'language' | 'region') => {
    let known: Intl.DisplayNames | undefined;
    return (code: string) => {
      known ??= new Intl.DisplayNames(locale, { type, fallback: 'none' });
      try {
        const name = known.of(code);
        return name === undefined ? code : inHeading(name, locale);
      } catch {
        // Upstream may write anything.
        return code;
      }
    };
  };
  const durationOf = (ms: number) => {
    if (ms < 1000) return `${plain(Math.round(ms))}${space}${units.ms}`;
    const tenths = Math.round(ms / 100);
    if (tenths < 600) return `${plain(tenths / 10)}${space}${units.s}`;
    let rest = Math.round(ms / 1000);
    const parts = SIZES.flatMap(([unit, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count > 0 ? [`${plain(count)}${space}${units[unit]}`] : [];
    });
    return parts.slice(0, 2).join(' ');
  };
  return {
    /** What a language is called, by its BCP 47 tag, and a country, by its ISO 3166 code; the code itself if it is none. */
    language: names('language'),
    country: names('region'),
    /** With so many decimals, or with those that it has, three at most. */
    number: (value: number | null, decimals?: number) => orDash(value, (known) => number(known, decimals)),
    /** With its sign. */
    signed: (value: number, decimals?: number) => numbers(decimals, 'exceptZero')(value),
    percent: (value: number | null, decimals = 0) =>
      orDash(value, (known) => `${number(known, decimals)}${locale === 'ru' ? space : ''}%`),
    /** The plural rule of this many (CLDR). */
    rule: (count: number) => plurals.select(count),
    /** A day, `2026-01-31` or an instant: 31 January 2026. */
    day: dates({ day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: dates({ day: 'numeric', month: 'short' }),
    /** With the minute, and UTC. */
    moment: (instant: string | null) => orDash(instant, (known) => `${time(known)} UTC`),
    /** Of the two largest units that it has: 850 ms, 4.2 s, 3 min 20 s, 2 h, 3 d 4 h. */
    duration: (ms: number | null) => orDash(ms, durationOf),
  };
}

/** In seconds, the largest first. */
const SIZES = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** With a large letter first. */
function inHeading(text: string, locale: Locale): string {
  const [first = '', ...rest] = Array.from(text);
  return first.toLocaleUpperCase(locale) + rest.join('');
}

const FORMATS = { ru: formatsIn('ru'), en: formatsIn('en') };

/** They take a while to make, and are the same for all pages of a language. */
export function formats(locale: Locale) {
  return FORMATS[locale];
}
