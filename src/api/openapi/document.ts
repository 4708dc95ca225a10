import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import { textsOf } from '../../platform/described.ts';
import { language } from '../http/parameters.ts';
import { renderJson } from '../http/rendering.ts';
import { fill, textsIn, type Locale } from '../messages/texts.ts';
import { errorSchema } from '../problems.ts';
import { BASE, renderingKey, route, type ApiRoute } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { errorReferences, headersOf, registerErrors, registerHeaders } from './responses.ts';

/** The address of the description, for machines. */
export const openApi = route({
  path: '/openapi.json',
  needsKey: false,
  parameters: { lang: language },
  cacheControl: 'public, max-age=300',
  async answer({ renderings, publicUrl }, { values: { lang } }) {
    return renderings.of(renderingKey('getOpenApi', lang), [publicUrl], () =>
      renderJson(openApiDocument({ locale: lang, publicUrl }), lang),
    );
  },
});

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
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${BASE}` }],
    security: [{ [KEY_SCHEME]: [] }],
    tags: Object.entries(texts.tags).map(([name, description]) => ({ name, description })),
  });
  const { webhooks: _none, ...document } = generated;
  const bodies = [errorSchema, ...ROUTES.map(({ body }) => body)];
  describeFields(document.components?.schemas ?? {}, bodies, locale);
  return { ...document, openapi: '3.1.0' };
}

function pathOf(of: ApiRoute, { locale, publicUrl }: OpenApiOptions): RouteConfig {
  const { operation, texts: own, inPath = {}, parameters, body, link } = of;
  const texts = textsIn(locale).openApi;
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

type Schemas = Readonly<Record<string, unknown>>;

/**
 * Completes the generated schemas: the texts of each field, as its schema has them, and nothing of what upstream's values
 * are held to, which readers are not promised.
 */
function describeFields(schemas: Schemas, bodies: readonly z.ZodType[], locale: Locale): void {
  const objects = new Set<z.ZodObject>();
  for (const body of bodies) collectObjects(body, objects);
  for (const object of objects) {
    const { id } = object.meta() ?? {};
    if (id !== undefined) describe(schemas[id], object, locale);
  }
  for (const schema of Object.values(schemas)) dropLimits(schema);
}

function describe(schema: unknown, object: z.ZodObject, locale: Locale): void {
  if (!hasProperties(schema)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    const field = object.shape[name] as z.ZodType;
    const { [locale]: description } = textsOf(field) ?? {};
    if (description !== undefined) property['description'] = description;
    const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
    if (inner instanceof z.ZodObject) describe(property, inner, locale);
  }
}

/** Every object below a schema, itself included. */
function collectObjects(schema: z.core.SomeType, found: Set<z.ZodObject>): void {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodLazy) collectObjects(schema.unwrap(), found);
  if (schema instanceof z.ZodArray) collectObjects(schema.element, found);
  if (schema instanceof z.ZodUnion) for (const option of schema.options) collectObjects(option, found);
  if (!(schema instanceof z.ZodObject) || found.has(schema)) return;
  found.add(schema);
  for (const field of Object.values(schema.shape)) collectObjects(field, found);
}

const LIMITS = ['pattern', 'minLength', 'maxLength', 'maxItems'] as const;

function dropLimits(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, items } = schema as { readonly properties?: object; readonly items?: unknown };
  for (const limit of LIMITS) if (limit in schema) delete (schema as Record<string, unknown>)[limit];
  for (const inner of [...Object.values(properties ?? {}), items]) dropLimits(inner);
}

interface WithProperties {
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
}

function hasProperties(schema: unknown): schema is WithProperties {
  return typeof schema === 'object' && schema !== null && 'properties' in schema;
}
