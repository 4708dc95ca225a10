import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import { BASE, responseKey, type ApiRoute } from '../api-route.ts';
import { errorSchema } from '../error-answer.ts';
import { language } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import { type Locale, TEXTS } from '../../texts/texts.ts';
import { route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { describeFields } from './describe-fields.ts';
import { registerHeaders, headersOf } from './headers.ts';
import { registerErrors, errorReferences } from './responses.ts';
import { textsOf } from '../../platform/field-texts.ts';
import { fill } from '../../texts/fill.ts';

/** The address of the description, for machines. */
export const openApi = route({
  path: '/openapi.json',
  needsKey: false,
  parameters: { lang: language },
  cacheControl: 'public, max-age=300',
  async answer({ responses, publicUrl }, { values: { lang } }) {
    return responses.of(responseKey('getOpenApi', lang), [publicUrl], () =>
      renderJson(openApiDocument({ locale: lang, publicUrl }), lang),
    );
  },
});

export interface OpenApiOptions {
  /** The language of its texts. */
  readonly locale: Locale;
  readonly publicUrl: string;
}

const KEY_SCHEME = 'ApiKey';

/** The OpenAPI document of the API, from the very schemas by which requests are read and answers are typed. */
export function openApiDocument({ locale, publicUrl }: OpenApiOptions) {
  const texts = TEXTS[locale].api.openApi;
  const registry = new OpenAPIRegistry();
  const key = { type: 'apiKey', in: 'header', name: 'x-api-key', description: texts.key } as const;
  registry.registerComponent('securitySchemes', KEY_SCHEME, key);
  registerHeaders(registry, texts);
  registerErrors(registry, locale, publicUrl);
  const links = new Map(ROUTES.flatMap(({ link }) => (link ? [[link.name, link] as const] : [])));
  for (const [name, { operation, parameters, [locale]: description }] of links) {
    registry.registerComponent('links', name, { operationId: operation, parameters, description });
  }
  for (const one of ROUTES) registry.registerPath(pathOf(one, { locale, publicUrl }));
  const generated = new OpenApiGeneratorV31([
    { type: 'schema', schema: errorSchema },
    ...registry.definitions,
  ]).generateDocument({
    openapi: '3.1.0',
    info: {
      title: texts.title,
      version: '1.0.0',
      description: texts.description,
      contact: { name: 'Catalog Read API', url: `${publicUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${BASE}` }],
    security: [{ [KEY_SCHEME]: [] }],
    tags: Object.entries(texts.tags).map(([name, description]) => ({ name, description })),
  });
  const { webhooks: _none, ...document } = generated;
  const bodies = [errorSchema, ...ROUTES.map(({ body }) => body)];
  describeFields(document.components?.schemas ?? {}, bodies, locale);
  return document;
}

/** One address in the OpenAPI document. */
function pathOf(of: ApiRoute, { locale, publicUrl }: OpenApiOptions): RouteConfig {
  const { operation, texts: own, inPath = {}, parameters, body, link } = of;
  const texts = TEXTS[locale].api.openApi;
  // Of parameters that many routes have; test/unit/api/openapi/document.test.ts holds that none is missing.
  const common: Readonly<Record<string, string>> = texts.parameters;
  const object = (schemas: Readonly<Record<string, z.ZodType>>) =>
    z.object(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, told(name, schema)])));
  const told = (name: string, schema: z.ZodType): z.ZodType => {
    const { [locale]: description = common[name] ?? '', example } = textsOf(schema) ?? {};
    const param = { description, ...(example === undefined ? {} : { example }) };
    return schema.meta({ ...schema.meta(), param });
  };
  const inQuery = Object.entries(parameters).map(([name, { schema }]) => [name, schema] as const);
  const example = { value: of.example(locale) };
  return {
    method: 'get',
    path: pathBelowBase(of),
    operationId: operation,
    tags: [of.tag],
    summary: own[locale].summary,
    description: fill(own[locale].description, { publicUrl }, locale),
    request: {
      params: object(inPath),
      query: object(Object.fromEntries(inQuery)),
      headers: object(REQUEST_HEADERS),
    },
    responses: {
      200: {
        description: texts.responses[200],
        headers: headersOf(of, texts),
        content: { 'application/json': { schema: body, examples: { example } } },
        ...(link ? { links: { [link.name]: { $ref: `#/components/links/${link.name}` } } } : {}),
      },
      304: { description: texts.responses[304], headers: headersOf(of, texts, { isBody: false }) },
      ...errorReferences(of),
    },
  };
}

/** As the document writes it: `/listings/{slug}`. */
export function pathBelowBase({ path }: ApiRoute): string {
  return path.slice(BASE.length).replace(/:(\w+)/g, '{$1}');
}

const REQUEST_HEADERS = { 'if-none-match': z.string().optional(), 'x-request-id': z.string().optional() };
