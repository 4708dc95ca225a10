import en from './en.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };

/** Languages of the API, the default first. */
export const LOCALES = ['ru', 'en'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'ru';

/**
 * Everything that people read, in one language. Both are written by hand; en.json decides which texts there are. `{places}` are
 * filled in.
 */
export type Texts = typeof en;

const TEXTS: Readonly<Record<Locale, Texts>> = { ru, en };

export function textsIn(locale: Locale): Texts {
  return TEXTS[locale];
}

/** What fills the `{places}` of a text: the same in both languages, or chosen from the texts. */
export type Values = Readonly<Record<string, string | number | ((locale: Locale) => string)>>;

/** A text with its `{places}` filled; a place that has no value stays as it is. */
export function fill(text: string, values: Values, locale: Locale): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : place;
    return typeof value === 'function' ? value(locale) : String(value);
  });
}

/** Text in the reader's language, in the other one where that is missing. */
export function inLanguage(text: Readonly<Record<Locale, string | null>>, locale: Locale): string | null {
  return text[locale] ?? text[locale === 'ru' ? 'en' : 'ru'];
}
