import { z } from 'zod';

import { ALLOWED_METHODS, CHALLENGE } from './http/response/headers.ts';
import { fill } from '../texts/fill.ts';
import { type Locale, TEXTS } from '../texts/texts.ts';
import { ERROR_CODES, type Problem, PROBLEMS } from './problems.ts';

/** The body of every answer that is an error. */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES),
      message: z.string(),
      docs: z.string().meta({ format: 'uri' }),
    }),
  })
  .meta({ id: 'Error' });

export function errorBody({ problem: name, values }: Problem, locale: Locale, publicUrl: string) {
  const { code } = PROBLEMS[name];
  // Amounts in digits alone, as a request has them.
  const words = Object.entries(values).map(([place, value]) => [
    place,
    typeof value === 'function' ? value(locale) : String(value),
  ]);
  const message = fill(TEXTS[locale].api.problems[name], Object.fromEntries(words), locale);
  // The developer page in the reader's language, at the paragraph about this code.
  return { error: { code, message, docs: `${publicUrl}/docs/${locale}#${code}` } };
}

/** What an error says beside its body. */
export function problemHeaders({ problem, values }: Problem): readonly string[] {
  switch (PROBLEMS[problem].status) {
    case 401:
      return CHALLENGE;
    case 405:
      return ['Allow', ALLOWED_METHODS];
    case 429:
    case 503:
      return ['Retry-After', String(values['seconds'])];
    default:
      return [];
  }
}
