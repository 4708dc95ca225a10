import { redact } from '../../platform/text/sanitize.ts';
import { nearest } from '../../platform/text/edit-distance.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../texts/texts.ts';
import { problem, type Problem } from '../problems.ts';
import type { Parameters } from './parameters.ts';
import type { QueryParameter } from './query-string.ts';

export interface ParameterValues {
  readonly problem?: undefined;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads the parameters of a request, or says what is wrong with the first offending one: the first in the order in
 * which they were sent, then the first that is missing.
 */
export function readParameters(
  parameters: Parameters,
  sent: readonly QueryParameter[],
): ParameterValues | Problem {
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
