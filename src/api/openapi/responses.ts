import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';

import type { ApiRoute } from '../api-route.ts';
import { errorBody } from '../error-answer.ts';
import { wholeNumber } from '../http/parameters.ts';
import { type Locale, TEXTS } from '../../texts/texts.ts';
import { problem, type Problem } from '../problems.ts';
import { headerReferences, type ResponseKind } from './headers.ts';

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
type ErrorStatus = keyof typeof ERRORS;

export function registerErrors(registry: OpenAPIRegistry, locale: Locale, publicUrl: string): void {
  const descriptions = TEXTS[locale].api.openApi.responses;
  for (const status of statuses()) {
    const { name, headers, example } = ERRORS[status];
    registry.registerComponent('responses', name, {
      description: descriptions[status],
      headers: headerReferences(headers),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: { example: { value: errorBody(example, locale, publicUrl) } },
        },
      },
    });
  }
}

/** The errors that a route may answer with. */
export function errorReferences(route: ApiRoute): Record<string, { readonly $ref: string }> {
  const possible = statuses().filter((status) => status !== 404 || route.canBeMissing);
  return Object.fromEntries(
    possible.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status].name}` }]),
  );
}

function statuses(): readonly ErrorStatus[] {
  return Object.keys(ERRORS).map((status) => Number(status) as ErrorStatus);
}
