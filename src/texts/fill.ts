import { formats } from './formats.ts';
import type { Locale } from './texts.ts';

/** What stands in the `{places}` of a text. Numbers are written as the language writes them. */
export type Values<Other = never> = Readonly<Record<string, string | number | Other>>;

/**
 * A place is `{name}`, or a phrase by number, as ICU MessageFormat writes it: `{name, plural, one {# entry} other {# entries}}`, in
 * which `#` is the number and a language uses the forms of its plural rules (CLDR). `%{name}` is curl's own, and stays.
 */
const PLACE = /(?<!%)\{([\w.]+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/;

/**
 * A text in pieces: its words, and what fills its places, so that a page can tell the two apart.
 * @throws where a place has no value: a text and its user have been changed apart.
 */
export function pieces<Other = never>(
  text: string,
  values: Values<Other>,
  locale: Locale,
): readonly (string | Other)[] {
  // One for the words, one for the name, one for the forms by number, and so on.
  const parts = text.split(PLACE);
  return parts.flatMap((part, at): readonly (string | Other)[] => {
    if (at % 3 === 0) return part === '' ? [] : [part];
    if (at % 3 === 2) return [];
    const value = Object.hasOwn(values, part) ? values[part] : undefined;
    if (value === undefined) throw new Error(`nothing fills {${part}} in ${JSON.stringify(text)}`);
    const forms = parts[at + 1];
    if (typeof value !== 'number') return [value];
    return [forms === undefined ? formats(locale).number(value) : formOf(forms, value, locale)];
  });
}

/** The form for this many. */
function formOf(forms: string, count: number, locale: Locale): string {
  const format = formats(locale);
  const form = new RegExp(` ${format.rule(count)} \\{([^}]*)\\}`).exec(forms)?.[1];
  if (form === undefined) throw new Error(`no form for ${count} in${forms}`);
  return form.replaceAll('#', format.number(count));
}

/** A text with its places filled. @throws where one has no value. */
export function fill(text: string, values: Values, locale: Locale): string {
  return pieces(text, values, locale).join('');
}
