import { z } from 'zod';

import { BASE, responseKey, type ApiRoute } from '../api-route-contract.ts';
import { errorSchema } from '../error-answer.ts';
import { language } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import { type Locale, TEXTS } from '../../texts/texts.ts';
import { route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { headerComponents, headersOf } from './headers.ts';
import {
  type Answer,
  errorReferences,
  errorResponses,
  jsonContent,
  type Reference,
} from './error-responses.ts';
import { namedSchemas, parameterSchema } from './schemas.ts';
import { textsOf } from '../../platform/schema-field-texts.ts';
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
  const links = ROUTES.flatMap(({ link }) => link ?? []).map((link) => {
    const { name, operation: operationId, parameters } = link;
    return [name, { operationId, parameters, description: texts.links[name] }] as const;
  });
  return {
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
    components: {
      securitySchemes: {
        [KEY_SCHEME]: { type: 'apiKey', in: 'header', name: 'x-api-key', description: texts.key },
      },
      headers: headerComponents(texts),
      responses: errorResponses(locale, publicUrl),
      links: Object.fromEntries(links),
      schemas: namedSchemas([errorSchema, ...ROUTES.map(({ body }) => body)], locale),
    },
    paths: Object.fromEntries(
      ROUTES.map((one) => [pathBelowBase(one), { get: operationOf(one, { locale, publicUrl }) }]),
    ),
  };
}

/** What can be asked at one address, and how it is answered. */
function operationOf(of: ApiRoute, { locale, publicUrl }: OpenApiOptions) {
  const { operation: operationId, texts: own, inPath = {}, parameters, body, link } = of;
  const texts = TEXTS[locale].api.openApi;
  const { summary, description } = own[locale];
  const links = link && { [link.name]: { $ref: `#/components/links/${link.name}` } };
  const responses: Readonly<Record<string, Answer | Reference>> = {
    200: {
      description: texts.responses[200],
      headers: headersOf(of, texts),
      content: jsonContent(body, of.example(locale)),
      ...(links && { links }),
    },
    304: { description: texts.responses[304], headers: headersOf(of, texts, { isBody: false }) },
    ...errorReferences(of),
  };
  const inQuery = Object.entries(parameters).map(([name, { schema }]) => [name, schema] as const);
  return {
    operationId,
    tags: [of.tag],
    summary,
    description: fill(description, { publicUrl }, locale),
    parameters: [
      ...parametersIn('path', Object.entries(inPath), locale),
      ...parametersIn('query', inQuery, locale),
      ...parametersIn('header', REQUEST_HEADERS, locale),
    ],
    responses,
  };
}

const REQUEST_HEADERS = ['if-none-match', 'x-request-id'].map(
  (name) => [name, z.string().optional()] as const,
);

function parametersIn(
  place: 'path' | 'query' | 'header',
  schemas: readonly (readonly [string, z.ZodType])[],
  locale: Locale,
) {
  // By name: test/unit/api/openapi/document.test.ts holds that none is missing.
  const texts: Readonly<Record<string, string>> = TEXTS[locale].api.openApi.parameters;
  return schemas.map(([name, schema]) => {
    const description = texts[name] ?? '';
    const required = !schema.safeParse(undefined).success;
    // What stands in an address or a header is text.
    const example = textsOf(schema)?.example as string | undefined;
    return { name, in: place, required, description, example, schema: parameterSchema(schema) };
  });
}

/** As the document writes it: `/listings/{slug}`. */
export function pathBelowBase({ path }: ApiRoute): string {
  return path.slice(BASE.length).replace(/:(\w+)/g, '{$1}');
}
