import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import { exampleBody, exampleParameters } from './examples.ts';
import { fill, textsIn, type Locale, type Texts } from '../messages/texts.ts';
import { describeFields } from './fields.ts';
import { linkReferences, registerLinks } from './links.ts';
import {
  errorReferences,
  headerReferences,
  registerErrors,
  registerHeaders,
  statusHeaders,
} from './responses.ts';
import type { ApiRoute, Operation } from '../route.ts';
import { BASE, ROUTES } from '../routes.ts';
import { SLUG } from '../routes/listing.ts';
import { error } from '../schemas.ts';

/** The OpenAPI document of the API, from the very schemas by which requests are read and answers are typed. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly [field: string]: unknown;
}

export interface OpenApiOptions {
  /** The language of its texts. */
  readonly locale: Locale;
  readonly publicUrl: string;
}

const KEY_SCHEME = 'ApiKey';

export function openApiDocument({ locale, publicUrl }: OpenApiOptions): OpenApiDocument {
  const texts = textsIn(locale).openApi;
  const registry = new OpenAPIRegistry();
  const key = { type: 'apiKey', in: 'header', name: 'x-api-key', description: texts.key } as const;
  registry.registerComponent('securitySchemes', KEY_SCHEME, key);
  registerHeaders(registry, texts);
  registerErrors(registry, { locale, publicUrl, texts });
  registerLinks(registry, texts);
  for (const route of ROUTES) registry.registerPath(pathOf(route, { locale, publicUrl }));
  const generated = new OpenApiGeneratorV31([
    { type: 'schema', schema: error },
    ...registry.definitions,
  ]).generateDocument({
    openapi: '3.1.0',
    info: {
      title: texts.title,
      version: '1.0.0',
      description: texts.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${BASE}` }],
    security: [{ [KEY_SCHEME]: [] }],
    tags: Object.entries(texts.tags).map(([name, description]) => ({ name, description })),
  });
  const { webhooks: _none, ...document } = generated;
  describeFields(document.components?.schemas ?? {}, texts.fields);
  return { ...document, openapi: '3.1.0' };
}

function pathOf(route: ApiRoute, { locale, publicUrl }: OpenApiOptions): RouteConfig {
  const texts = textsIn(locale).openApi;
  const examples = exampleParameters();
  const described = (name: string, schema: z.ZodType): z.ZodType => {
    const example = examples[name];
    const param = {
      description: textOf(texts.parameters, name),
      ...(example === undefined ? {} : { example }),
    };
    return schema.meta({ ...schema.meta(), param });
  };
  const object = (schemas: readonly (readonly [string, z.ZodType])[]) =>
    z.object(Object.fromEntries(schemas.map(([name, schema]) => [name, described(name, schema)])));
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  const inQuery = Object.entries(route.parameters).map(([name, { schema }]) => [name, schema] as const);
  const example = { value: exampleBody(route.operation, locale) };
  return {
    method: 'get',
    path: route.path.slice(BASE.length).replace(/:(\w+)/g, '{$1}'),
    operationId: route.operation,
    tags: [tagOf(route.operation)],
    summary: textOf(texts.summaries, route.operation),
    description: fill(textOf(texts.descriptions, route.operation), { publicUrl }, locale),
    request: {
      params: object(inPath.map((name) => [name, PATH_PARAMETERS[name] ?? z.string()])),
      query: object(inQuery),
      headers: object(REQUEST_HEADERS.map((name) => [name, z.string().optional()])),
    },
    responses: {
      200: {
        description: texts.responses[200],
        headers: headersOf(route, texts),
        content: { 'application/json': { schema: route.body, examples: { example } } },
        ...linkReferences(route.operation),
      },
      304: { description: texts.responses[304], headers: headersOf(route, texts, { isBody: false }) },
      ...errorReferences(route),
    },
  };
}

/** What a 200 carries beside the headers of every response; a 304 the same, but for the links of a page. */
function headersOf(
  { operation }: ApiRoute,
  texts: Texts['openApi'],
  { isBody = true } = {},
): ReturnType<typeof statusHeaders> {
  switch (operation) {
    case 'getStatus':
      return statusHeaders(texts);
    case 'getListing':
      return headerReferences('listing');
    case 'searchListings':
      return headerReferences(isBody ? 'page' : 'answer');
    default:
      return headerReferences('answer');
  }
}

/** The group that an operation stands in; the addresses of the reference have it too. */
export function tagOf(operation: Operation): keyof Texts['openApi']['tags'] {
  return operation === 'getStatus' ? 'monitor' : 'catalog';
}

const PATH_PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  slug: z.string().regex(SLUG).max(128),
};

const REQUEST_HEADERS = ['if-none-match', 'x-request-id'] as const;

/** A text by a name that comes from a route; test/unit/api/openapi/document.test.ts holds that none is missing. */
function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  return texts[name] ?? '';
}
