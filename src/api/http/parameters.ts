import { z } from 'zod';

import { KINDS } from '../../../projections/listings/document.ts';
import { redact } from '../../platform/secrets.ts';
import { nearest } from '../../platform/spelling.ts';
import {
  DEFAULT_LOCALE,
  fill,
  LOCALES,
  textsIn,
  type Locale,
  type Texts,
  type Values,
} from '../messages/texts.ts';
import { problem, type Problem } from '../problems.ts';
import type { QueryParameter } from './query.ts';

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

/**
 * Reads the parameters of a request, or says what is wrong with the first offending one: the first in the order in
 * which they were sent, then the first that is missing.
 */
export function readParameters(
  parameters: Parameters,
  sent: readonly QueryParameter[],
): { readonly values: Readonly<Record<string, unknown>> } | Problem {
  const values = new Map<string, unknown>();
  for (const { name, value } of sent) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) return unknownParameter(name, parameters);
    const said = { name, accepts: parameter.accepts };
    if (values.has(name)) return problem('repeated_parameter', said);
    if (value === '') return problem(parameter.absent.success ? 'empty_parameter' : 'wrong_parameter', said);
    const read = parameter.schema.safeParse(value);
    if (!read.success) return problem('wrong_parameter', said);
    values.set(name, read.data);
  }
  for (const [name, { absent, accepts: accepted }] of Object.entries(parameters)) {
    if (values.has(name)) continue;
    if (!absent.success) return problem('missing_parameter', { name, accepts: accepted });
    values.set(name, absent.data);
  }
  return { values: Object.fromEntries(values) };
}

/** The language of an error: the one that the request asks for, if it does so in a way that can be accepted. */
export function localeOf(sent: readonly QueryParameter[], name: 'locale' | 'lang'): Locale {
  const asked = sent.filter((parameter) => parameter.name === name).map(({ value }) => value);
  return asked.length === 1
    ? (LOCALES.find((known) => known === asked[0]) ?? DEFAULT_LOCALE)
    : DEFAULT_LOCALE;
}

function unknownParameter(name: string, parameters: Parameters): Problem {
  const names = Object.keys(parameters);
  const suggested = nearest(name, names);
  if (suggested === null) {
    return problem('unlike_any_parameter', { name: shown(name), names: names.join(', ') });
  }
  const accepted = parameters[suggested]?.accepts ?? '';
  return problem('unknown_parameter', { name: shown(name), nearest: suggested, accepts: accepted });
}

/** A name that somebody sent, fit for a sentence: short, on one line, and no key. */
function shown(name: string): string {
  const characters = Array.from(redact(name).replace(/\p{C}/gu, '�'));
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : characters.join('') || '""';
}

function oneOf<Schema extends z.ZodType>(values: readonly string[], schema: Schema) {
  return parameterOf(schema, accepts('oneOf', { values: values.join(', ') }));
}

function parameterOf<Schema extends z.ZodType>(schema: Schema, accepted: Parameter['accepts']) {
  return { schema, accepts: accepted, absent: schema.safeParse(undefined) };
}

function accepts(name: keyof Texts['accepts'], values: Values): (locale: Locale) => string {
  return (inLocale) => fill(textsIn(inLocale).accepts[name], values, inLocale);
}
