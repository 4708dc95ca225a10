import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';

import { BASE, responseKey } from '../api-route.ts';
import { errorSchema } from '../error-answer.ts';
import { language } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import { type Locale, TEXTS } from '../../texts/texts.ts';
import { route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { describeFields } from './describe-fields.ts';
import { registerHeaders } from './headers.ts';
import { pathOf } from './path.ts';
import { registerErrors } from './responses.ts';

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
  return { ...document, openapi: '3.1.0' };
}
