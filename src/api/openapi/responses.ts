import type { OpenAPIRegistry, ResponseConfig } from '@asteasolutions/zod-to-openapi';

import { wholeNumber } from '../http/parameters.ts';
import type { Locale, Texts } from '../messages/texts.ts';
import { errorBody, problem, type Problem } from '../problems.ts';
import type { ApiRoute } from '../route.ts';

/** The shared parts of the OpenAPI document: header components and error responses. */

interface HeaderForm {
  /** Whether every response that lists it carries it; by default it does. */
  readonly required?: boolean;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
}

const COUNT = { schema: { type: 'integer', minimum: 0 } } as const;
const TEXT = { schema: { type: 'string', minLength: 1 } } as const;

const FORMS: Readonly<Record<keyof Texts['openApi']['headers'], HeaderForm>> = {
  'X-Request-Id': { schema: { type: 'string', pattern: '^[A-Za-z0-9-]{8,64}$' } },
  'X-RateLimit-Limit': COUNT,
  'X-RateLimit-Remaining': COUNT,
  'X-RateLimit-Cost': { schema: { type: 'integer', enum: [0, 1] } },
  'RateLimit-Policy': { schema: { type: 'string', pattern: '^"daily";q=\\d+;w=86400$' } },
  RateLimit: { schema: { type: 'string', pattern: '^"daily";r=\\d+;t=\\d+$' } },
  ETag: { schema: { type: 'string', pattern: '^W/"[A-Za-z0-9_-]{43}"$' } },
  'Last-Modified': TEXT,
  Link: { ...TEXT, required: false },
  'Cache-Control': TEXT,
  'Content-Language': { schema: { type: 'string', enum: ['ru', 'en', 'ru, en'] } },
  'Retry-After': { schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': TEXT,
};
type HeaderName = keyof typeof FORMS;

/** What every response carries, in this order, and what some carry beside it. */
const COMMON: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Cost',
  'RateLimit-Policy',
  'RateLimit',
  'Cache-Control',
  'Content-Language',
];
const BESIDE = {
  tag: ['ETag'],
  'links of pages': ['ETag', 'Link'],
  updated: ['ETag', 'Last-Modified'],
  error: [],
  challenge: ['WWW-Authenticate'],
  pause: ['Retry-After'],
} as const satisfies Record<string, readonly HeaderName[]>;

/** What a 200 carries beside the headers of every response; a 304 the same, but for the links of a page. */
export function headersOf(
  { carries }: ApiRoute,
  texts: Texts['openApi'],
  { isBody = true } = {},
): NonNullable<ResponseConfig['headers']> {
  if (carries === 'links of pages' && !isBody) return headerReferences('tag');
  if (carries !== 'changed') return headerReferences(carries ?? 'tag');
  const lastModified = { description: texts.headers['Last-Modified'], required: false, ...TEXT };
  return { ...headerReferences('tag'), 'Last-Modified': lastModified };
}

/** Refers to the headers of a kind of response. */
function headerReferences(kind: keyof typeof BESIDE): Record<string, { readonly $ref: string }> {
  const names = [...COMMON, ...BESIDE[kind]];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function registerHeaders(registry: OpenAPIRegistry, texts: Texts['openApi']): void {
  for (const [name, { schema, required = true }] of Object.entries(FORMS)) {
    const description = texts.headers[name as HeaderName];
    registry.registerComponent('headers', name, { description, required, schema });
  }
}

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
} as const satisfies Record<number, { name: string; headers: keyof typeof BESIDE; example: Problem }>;
type ErrorStatus = keyof typeof ERRORS;

export interface ErrorTexts {
  readonly locale: Locale;
  readonly publicUrl: string;
  readonly texts: Texts['openApi'];
}

export function registerErrors(registry: OpenAPIRegistry, { locale, publicUrl, texts }: ErrorTexts): void {
  for (const status of statuses()) {
    const { name, headers, example } = ERRORS[status];
    registry.registerComponent('responses', name, {
      description: texts.responses[status],
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
