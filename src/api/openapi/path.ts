import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import { textsOf } from '../../platform/schema-texts.ts';
import { type ApiRoute, BASE } from '../api-route.ts';
import { fill } from '../../texts/fill.ts';
import { TEXTS } from '../../texts/texts.ts';
import type { OpenApiOptions } from './document.ts';
import { headersOf } from './headers.ts';
import { errorReferences } from './responses.ts';

/** One address in the OpenAPI document. */

export function pathOf(of: ApiRoute, { locale, publicUrl }: OpenApiOptions): RouteConfig {
  const { operation, texts: own, inPath = {}, parameters, body, link } = of;
  const texts = TEXTS[locale].api.openApi;
  const object = (schemas: Readonly<Record<string, z.ZodType>>) =>
    z.object(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, told(name, schema)])));
  const told = (name: string, schema: z.ZodType): z.ZodType => {
    const { [locale]: description = textOf(texts.parameters, name), example } = textsOf(schema) ?? {};
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

/** Of a parameter that many routes have; test/unit/api/openapi/document.test.ts holds that none is missing. */
function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  return texts[name] ?? '';
}
