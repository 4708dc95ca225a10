import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openApiDocument } from '../../../../src/api/openapi/document.ts';
import { LOCALES, textsIn } from '../../../../src/api/messages/texts.ts';
import { ROUTES } from '../../../../src/api/routes.ts';
import { expectSchema } from '../../../support/openapi-validation.ts';

const committed = join(import.meta.dirname, '../../../../docs/reference/openapi.json');

interface Described {
  readonly description?: string;
  readonly [field: string]: unknown;
}

interface Operation extends Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly (Described & { readonly name: string; readonly schema: unknown })[];
  readonly responses: Readonly<Record<string, Described>>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, Described>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
}

function documentIn(locale: (typeof LOCALES)[number]): Document {
  return openApiDocument({ locale, publicUrl: 'http://localhost:8080' }) as unknown as Document;
}

const document = documentIn('en');
const operations = Object.values(document.paths).map(({ get }) => get);

describe('the OpenAPI document', () => {
  test('is the one that is committed; `npm run -s openapi` writes it', () => {
    expect(`${JSON.stringify(document, null, 2)}\n`).toBe(readFileSync(committed, 'utf8'));
  });

  test('has version 1.0.0, and one operation for each route, with ids of their own', () => {
    expect(document.info.version).toBe('1.0.0');
    expect(operations.map(({ operationId }) => operationId)).toEqual(
      ROUTES.map(({ operation }) => operation),
    );
    expect(new Set(ROUTES.map(({ operation }) => operation)).size).toBe(ROUTES.length);
  });

  test('lists the responses of every operation; 404 only where it can be', () => {
    const always = ['200', '304', '400', '401', '429', '500', '503'];
    for (const { operationId, responses } of operations) {
      const expected = operationId === 'getListing' ? [...always, '404'].sort() : always;
      expect(Object.keys(responses).sort(), operationId).toEqual(expected);
    }
  });

  test('says what each parameter accepts', () => {
    const limit = document.paths['/top']?.get.parameters.find(({ name }) => name === 'limit');
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    const locale = document.paths['/top']?.get.parameters.find(({ name }) => name === 'locale');
    expect(locale?.schema).toEqual({ type: 'string', enum: ['ru', 'en'], default: 'ru' });
  });

  test.each(LOCALES)('has a text for everything, in %s', (locale) => {
    const { paths, components } = documentIn(locale);
    const described = Object.values(paths).flatMap(({ get }) => [get, ...get.parameters]);
    const all = [...described, ...Object.values(components.headers), ...Object.values(components.responses)];
    expect(all.filter(({ description }) => description === undefined || description === '')).toEqual([]);
    expect(Object.values(paths).every(({ get }) => get.summary.length > 0)).toBe(true);
  });

  test.each(LOCALES)('uses every text about a field, in %s', (locale) => {
    const { components } = documentIn(locale);
    const shown = JSON.stringify(components.schemas);
    const texts = Object.values(textsIn(locale).openApi.fields).flatMap((fields) => Object.values(fields));
    const unused = texts.filter((text) => !shown.includes(JSON.stringify(text).slice(1, -1)));
    expect(unused).toEqual([]);
  });

  test.each(LOCALES)('has an example for every body, and each one has its schema, in %s', (locale) => {
    const { paths, components } = documentIn(locale);
    const bodies = {
      searchListings: 'SearchPage',
      getListing: 'Listing',
      getTop: 'Top',
      listCategories: 'Categories',
      getStatus: 'Status',
    };
    for (const { get } of Object.values(paths)) {
      const schema = bodies[get.operationId as keyof typeof bodies];
      expectSchema(schema, exampleOf(get.responses['200']));
    }
    for (const response of Object.values(components.responses)) expectSchema('Error', exampleOf(response));
  });

  test('tells the kinds apart by their kind', () => {
    for (const name of ['Listing', 'SearchItem', 'TopItem']) {
      expect(document.components.schemas[name]).toMatchObject({ discriminator: { propertyName: 'kind' } });
    }
  });
});

function exampleOf(response: Described | undefined): unknown {
  const content = response?.['content'] as
    | { 'application/json': { examples: { example: { value: unknown } } } }
    | undefined;
  return content?.['application/json'].examples.example.value;
}
