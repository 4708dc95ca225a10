import type { z } from 'zod';

import type { ApiRoute } from '../api-route-contract.ts';
import { errorBody, errorSchema } from '../error-answer.ts';
import { wholeNumber } from '../http/parameters.ts';
import { type Locale, TEXTS } from '../../texts/texts.ts';
import { problem, type Problem } from '../problems.ts';
import { headerReferences, type Headers, type ResponseKind } from './headers.ts';
import { schemaReference } from './schemas.ts';

/** The error responses of the OpenAPI document, which routes share. */

const { accepts } = wholeNumber({ max: 100, otherwise: 20 });

/** The errors that routes share, each with one real example. */
const ERRORS = {
  400: {
    name: 'BadRequest',
    headers: 'error',
    example: problem('wrong_parameter', { name: 'limit', accepts }),
  },
  401: { name: 'Unauthorized', headers: 'challenge', example: problem('bad_key') },
  404: { name: 'NotFound', headers: 'error', example: problem('unknown_listing') },
  429: { name: 'RateLimited', headers: 'pause', example: problem('used_up', { limit: 1000, seconds: 3600 }) },
  500: { name: 'InternalError', headers: 'error', example: problem('fault') },
  503: { name: 'Unavailable', headers: 'pause', example: problem('unavailable', { seconds: 2 }) },
} as const satisfies Record<number, { name: string; headers: ResponseKind; example: Problem }>;
const STATUSES = Object.keys(ERRORS).map((status) => Number(status) as keyof typeof ERRORS);

export interface Reference {
  readonly $ref: string;
}

export interface Answer {
  readonly description: string;
  readonly headers: Headers;
  readonly content?: ReturnType<typeof jsonContent>;
  readonly links?: Readonly<Record<string, Reference>>;
}

export function errorResponses(locale: Locale, publicUrl: string): Readonly<Record<string, Answer>> {
  const descriptions = TEXTS[locale].api.openApi.responses;
  const components = STATUSES.map((status) => {
    const { name, headers, example } = ERRORS[status];
    const content = jsonContent(errorSchema, errorBody(example, locale, publicUrl));
    return [
      name,
      { description: descriptions[status], headers: headerReferences(headers), content },
    ] as const;
  });
  return Object.fromEntries(components);
}

/** A body of a schema that has a name, with one real example. */
export function jsonContent(schema: z.ZodType, value: unknown) {
  return { 'application/json': { schema: schemaReference(schema), examples: { example: { value } } } };
}

/** The errors that a route may answer with. */
export function errorReferences(route: ApiRoute): Readonly<Record<string, Reference>> {
  const possible = STATUSES.filter((status) => status !== 404 || route.canBeMissing);
  return Object.fromEntries(
    possible.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status].name}` }]),
  );
}
