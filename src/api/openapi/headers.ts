import type { ApiRoute } from '../api-route-contract.ts';
import type { Texts } from '../../texts/texts.ts';

/** The headers of the OpenAPI document: a component for each, and which kind of response carries which. */

type OpenApiTexts = Texts['api']['openApi'];

interface HeaderForm {
  /** Whether every response that lists it carries it; by default it does. */
  readonly required?: boolean;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
}

const COUNT = { schema: { type: 'integer', minimum: 0 } } as const;
const TEXT = { schema: { type: 'string', minLength: 1 } } as const;

const FORMS: Readonly<Record<keyof OpenApiTexts['headers'], HeaderForm>> = {
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
export type ResponseKind = keyof typeof BESIDE;

/** Whether every response carries this header. */
export function isCommon(header: string): boolean {
  return (COMMON as readonly string[]).includes(header);
}

export type Headers = Readonly<Record<string, Header | { readonly $ref: string }>>;
export type Header = HeaderForm & { readonly description: string };

/** What a 200 carries beside the headers of every response; a 304 the same, but for the links of a page. */
export function headersOf({ carries }: ApiRoute, texts: OpenApiTexts, { isBody = true } = {}): Headers {
  if (carries === 'links of pages' && !isBody) return headerReferences('tag');
  if (carries !== 'changed') return headerReferences(carries ?? 'tag');
  const lastModified = { description: texts.headers['Last-Modified'], required: false, ...TEXT };
  return { ...headerReferences('tag'), 'Last-Modified': lastModified };
}

/** Refers to the headers of a kind of response. */
export function headerReferences(kind: ResponseKind): Headers {
  const names = [...COMMON, ...BESIDE[kind]];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function headerComponents(texts: OpenApiTexts): Readonly<Record<string, Header>> {
  const components = Object.entries(FORMS).map(([name, { schema, required = true }]) => {
    const description = texts.headers[name as HeaderName];
    return [name, { description, required, schema }] as const;
  });
  return Object.fromEntries(components);
}
