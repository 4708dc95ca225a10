import { z } from 'zod';

import { withTexts, withTextsOf } from '../platform/schema-field-texts.ts';
import { parseInstant } from '../platform/time/instant.ts';

/**
 * The fields that several events share. Every schema's error message is what it accepts, in words that follow
 * "expected": `data.revision: expected an integer from 1 to 9007199254740991, got "x"`.
 */

export const KINDS = ['channel', 'bot', 'miniapp'] as const;
export const kind = oneOf(KINDS);

/** One of a closed list of words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: `one of ${words.join(', ')}` });
}

/** A field that may be absent or null, which is the same, and comes out as null. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  // In a generic function the compiler cannot see that null is now among the outputs.
  return schema.nullable().default(null as never);
}

/** A field that may be absent or null, which is the same, and comes out as `otherwise`. */
export function defaulting<Schema extends z.ZodType>(schema: Schema, otherwise: z.output<Schema>) {
  return schema.nullish().transform((given) => given ?? otherwise);
}

/** What comes out of such fields: nothing is absent any more. Of these, documents are made. */
export function outputFields<Shape extends z.core.$ZodLooseShape>(shape: Shape): OutputFields<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => {
    const inner = outputField(field);
    return [name, inner === field ? field : withTextsOf(field as z.ZodType, inner as z.ZodType)];
  });
  // The type says the same field by field.
  return Object.fromEntries(fields) as OutputFields<Shape>;
}

type OutputFields<Shape> = { -readonly [Name in keyof Shape]: OutputField<Shape[Name]> };
type OutputField<Field> =
  Field extends z.ZodDefault<infer Inner>
    ? Inner
    : Field extends z.ZodPipe<z.ZodOptional<z.ZodNullable<infer Inner>>>
      ? Inner
      : Field;

/** What `optional` and `defaulting` were made of. */
function outputField(field: z.core.SomeType): z.core.SomeType {
  if (field instanceof z.ZodDefault) return field.unwrap();
  const inner = field instanceof z.ZodPipe && field.in instanceof z.ZodOptional ? field.in.unwrap() : field;
  return inner instanceof z.ZodNullable && inner !== field ? inner.unwrap() : field;
}

/** An object of these fields; what else it has is dropped. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape, { error: 'an object' });
}

const LIST_ITEMS = 20;

/** At most 20 items, as every list of the contract. */
export function list<Item extends z.ZodType>(item: Item) {
  // A refinement, because `max` looks at the length of a text as well.
  return z
    .array(item, { error: 'a list' })
    .refine(({ length }) => length <= LIST_ITEMS, {
      error: `at most ${LIST_ITEMS} items`,
      // Also where an item is wrong: all mistakes are told at once.
      when: ({ value }) => Array.isArray(value),
    })
    .meta({ maxItems: LIST_ITEMS });
}

export const flag = z.boolean({ error: 'true or false' });

export const count = integerFrom(0);
export const revision = withTexts(integerFrom(1), {
  publishers: 'The higher one wins, whatever the order of arrival.',
  example: 1,
});

/** JSON can exchange integers exactly up to 2^53 - 1. */
function integerFrom(minimum: number) {
  const error = `an integer from ${minimum} to ${Number.MAX_SAFE_INTEGER}`;
  return z.int({ error }).min(minimum, { error }).overwrite(withoutMinusZero);
}

/** A rate, a percentage, a duration: finite, fractions allowed. */
export const rate = fromZero('a finite number of at least 0').overwrite(withoutMinusZero);

const A_RATING = 'a number from 0 to 5';
export const rating = object({
  value: fromZero(A_RATING).max(5, { error: A_RATING }).overwrite(withoutMinusZero),
  count,
});

function fromZero(error: string) {
  return z.number({ error }).min(0, { error });
}

/** -0 and 0 are one number in JSON's eyes, and must be one in a document's bytes. */
function withoutMinusZero(value: number): number {
  return value + 0;
}

export interface TextRules {
  /** Line feeds are allowed, and CRLF, the line end of some editors, is one. */
  readonly lineFeeds?: boolean;
  /** It is what people find something by: it must show something. */
  readonly isName?: boolean;
}

/** Text, brought to NFC and not trimmed; its length is counted in code points after that. */
export function text(maximum: number, { lineFeeds = false, isName = false }: TextRules = {}) {
  const refused = lineFeeds ? /(?!\n)\p{Cc}/u : /\p{Cc}/u;
  const error = `text of 1 to ${maximum} characters, none of them a control character${lineFeeds ? ' but line feeds' : ''}${isName ? ', some of them visible' : ''}`;
  const plain = lineFeeds ? PLAIN_LINES : PLAIN;
  return checked(error, (value) => {
    if (value.length <= maximum && plain.test(value)) return value;
    const kept = (lineFeeds ? value.replaceAll('\r\n', '\n') : value).normalize('NFC');
    const isText = kept.isWellFormed() && !refused.test(kept) && isWithin(kept, maximum);
    return isText && (!isName || SHOWN.test(kept)) ? kept : null;
  }).meta({ minLength: 1, maxLength: maximum });
}

/**
 * A text that comes out as `read` makes it; null where it is refused. One check, where a refinement and a transformation are
 * two schemas: decoding is a third of what an event costs. `isFirst`: what is checked of the whole event computes with it, and is
 * told only once this one is right; else all that is wrong is told at once.
 */
export function checked(error: string, read: (value: string) => string | null, { isFirst = false } = {}) {
  return z.string({ error }).check((payload) => {
    const value = read(payload.value);
    if (value !== null) payload.value = value;
    else payload.issues.push({ code: 'custom', message: error, input: payload.value, continue: !isFirst });
  });
}

/** Most texts are of these characters alone, which NFC leaves as they are. The first one shows something, as `SHOWN` asks. */
const PLAIN = /^[!-~\u0400-\u045f][ -~\u0400-\u045f]*$/;
const PLAIN_LINES = /^[!-~\u0400-\u045f][\n -~\u0400-\u045f]*$/;

/** A character that shows something: no space, no format character, no filler, no blank of Braille. */
const SHOWN = /[^\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether text has from one to `maximum` code points. */
export function isWithin(value: string, maximum: number): boolean {
  // A code point takes one or two units, so most texts need no counting.
  if (value.length <= maximum) return value.length > 0;
  return value.length <= 2 * maximum && Array.from(value).length <= maximum;
}

/** Text in Russian, in English, or in both. */
export function localized(maximum: number, options: TextRules = {}) {
  const one = optional(text(maximum, options));
  return object({ ru: one, en: one }).refine(({ ru, en }) => ru !== null || en !== null, {
    error: 'text in ru, in en, or in both',
  });
}

/** A name in both languages. */
export function bilingual(maximum: number) {
  return object({ ru: text(maximum, { isName: true }), en: text(maximum, { isName: true }) });
}

const URL_LENGTH = 2048;

/** An absolute https: URL. It is handed on as it came and never fetched. */
export const httpsUrl = url(/^https:\/\//, 'an absolute https:// URL');
/** Where a button leads: https:, or tg: for the platform's own links. */
export const openUrl = url(/^(?:https:\/\/|tg:)/, 'an absolute https:// or tg: URL');

function url(scheme: RegExp, expected: string) {
  const error = `${expected} of at most ${URL_LENGTH} characters`;
  return z
    .string({ error })
    .refine((value) => isWithin(value, URL_LENGTH) && scheme.test(value) && isPlainUrl(value), { error })
    .meta({ format: 'iri', maxLength: URL_LENGTH });
}

function isPlainUrl(value: string): boolean {
  return !NEVER_IN_A_URL.test(value) && URL.canParse(value);
}

/** The URL parser would repair these in silence: they must stay out of the pages that show the URL as it came. */
const NEVER_IN_A_URL = /[\s\p{Cc}\p{Cs}"<>\\]/u;

/** A canonical slug of at most 128 characters. */
export const slug = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,126}[a-z0-9])?$/,
  'a slug: 1 to 128 of a-z, 0-9 and "-", with no "-" at either end',
);
/** The slug of a category: at most 64 characters. */
export const categorySlug = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
  'a category slug: 1 to 64 of a-z, 0-9 and "-", with no "-" at either end',
);
/** The name of a monitor target, or of the place that a probe was sent from. */
export const monitorId = matching(
  /^[a-z0-9][a-z0-9_-]{0,63}$/,
  '1 to 64 of a-z, 0-9, "_" and "-", the first a letter or digit',
);
export const username = matching(/^[A-Za-z0-9_]{1,64}$/, '1 to 64 of A-Z, a-z, 0-9 and "_"');
export const flagName = matching(/^[a-z][a-z0-9_]{0,49}$/, '1 to 50 of a-z, 0-9 and "_", the first a letter');
/** ISO 3166-1 alpha-2, by its form. */
export const country = matching(/^[A-Z]{2}$/, 'an ISO 3166-1 alpha-2 code, such as "RU"');

/** A language tag by the grammar of RFC 5646 (BCP 47), section 2.1, without the grandfathered tags. */
export const language = matching(
  /^(?=.{1,35}$)(?:(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-(?:[A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*(?:-[Xx](?:-[A-Za-z0-9]{1,8})+)?|[Xx](?:-[A-Za-z0-9]{1,8})+)$/,
  'a BCP 47 language tag of at most 35 characters, such as "en" or "pt-BR"',
);

function matching(pattern: RegExp, expected: string) {
  return z.string({ error: expected }).regex(pattern, { error: expected });
}

const AN_INSTANT = 'an RFC 3339 date-time, such as "2026-11-20T10:00:00Z"';

/** An RFC 3339 date-time with any offset; comes out in UTC with milliseconds. */
export const instant = checked(AN_INSTANT, parseInstant, { isFirst: true }).meta({ format: 'date-time' });
