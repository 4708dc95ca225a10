import { z } from 'zod';

import { KINDS } from '../../../projections/listings/document.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES, type Texts, TEXTS } from '../../texts/texts.ts';
import { fill, type Values } from '../../texts/fill.ts';

/** A query parameter: how it is read, and how what it accepts is said. */
export interface Parameter<Schema extends z.ZodType = z.ZodType> {
  /** Reads the decoded text. */
  readonly schema: Schema;
  /** What the schema makes of a parameter that was not sent. */
  readonly absent: ReturnType<Schema['safeParse']>;
  /** Completes "It must be ..." in a language. */
  readonly accepts: (locale: Locale) => string;
}

export type Parameters = Readonly<Record<string, Parameter>>;
export type ValuesOf<P extends Parameters> = { readonly [Name in keyof P]: z.output<P[Name]['schema']> };

export const locale = oneOf(LOCALES, z.enum(LOCALES).default(DEFAULT_LOCALE));

/** Of the description of the API; English is what most tools expect. */
export const language = oneOf(LOCALES, z.enum(LOCALES).default('en'));
export const kind = oneOf(KINDS, z.enum(KINDS).optional());

export const CATEGORY_LENGTH = 64;

/** Compared for equality with what entries name; slugs are written in lower case, and read in any. */
export const category = parameterOf(
  z
    .string()
    .refine((text) => Array.from(text).length <= CATEGORY_LENGTH)
    .transform((text) => (/^[a-z0-9-]+$/i.test(text) ? text.toLowerCase() : text))
    .optional()
    .meta({ type: 'string', minLength: 1, maxLength: CATEGORY_LENGTH }),
  accepts('category', { max: CATEGORY_LENGTH }),
);

export const SEARCH_TEXT_LENGTH = 120;

/** No control character, and one that is no space: for the OpenAPI document, in what every dialect of patterns has. */
const NOT_BLANK = String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\s\ufeff\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`;

/** What people type: on one line, in NFC, without spaces around it. Its length is that of what is searched. */
export const searchText = parameterOf(
  z
    .string()
    .regex(/^\P{Cc}*$/u)
    .transform((text) => text.trim().normalize('NFC'))
    .refine((text) => text !== '' && Array.from(text).length <= SEARCH_TEXT_LENGTH)
    .meta({ type: 'string', minLength: 1, maxLength: SEARCH_TEXT_LENGTH, pattern: NOT_BLANK }),
  accepts('searchText', { max: SEARCH_TEXT_LENGTH }),
);

/** Digits alone: what other notations mean is for the sender to know. Never clamped. */
export function wholeNumber({ max, otherwise }: { readonly max: number; readonly otherwise: number }) {
  const schema = z
    .string()
    .regex(/^[1-9][0-9]*$/)
    .transform(Number)
    .pipe(z.int().max(max))
    .default(otherwise)
    .meta({ type: 'integer', minimum: 1, maximum: max, default: otherwise });
  return parameterOf(schema, accepts('wholeNumber', { max }));
}

/** Whether something more is asked for; not, unless it is said. */
export function yesOrNo() {
  const schema = z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', default: false });
  return oneOf(['true', 'false'], schema);
}

function oneOf<Schema extends z.ZodType>(values: readonly string[], schema: Schema) {
  return parameterOf(schema, accepts('oneOf', { values: values.join(', ') }));
}

function parameterOf<Schema extends z.ZodType>(schema: Schema, accepted: Parameter['accepts']) {
  return { schema, accepts: accepted, absent: schema.safeParse(undefined) };
}

function accepts(name: keyof Texts['api']['accepts'], values: Values): (locale: Locale) => string {
  return (inLocale) => fill(TEXTS[inLocale].api.accepts[name], values, inLocale);
}
