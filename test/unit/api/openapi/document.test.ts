import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';

import { LOCALES, TEXTS as CATALOGUE } from '../../../../src/texts/texts.ts';
import { openApiDocument } from '../../../../src/api/openapi/document.ts';
import { ROUTES } from '../../../../src/api/routes.ts';
import { expectSchema } from '../../../support/openapi-validation.ts';

const committed = { en: 'docs/reference/openapi.json', ru: 'docs/reference/openapi.ru.json' };

interface Described {
  readonly description?: string;
  readonly [field: string]: unknown;
}

interface Operation extends Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly (Described & { readonly name: string; readonly schema: unknown })[];
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, Described>>;
}

interface Document {
  readonly info: { readonly version: string; readonly contact: { readonly url: string } };
  readonly tags: readonly (Described & { readonly name: string })[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, Described>>;
    readonly links: Readonly<Record<string, Link>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
}

interface Link extends Described {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

function documentIn(locale: (typeof LOCALES)[number]): Document {
  return openApiDocument({ locale, publicUrl: 'http://localhost:8080' }) as unknown as Document;
}

const document = documentIn('en');
const operations = Object.values(document.paths).map(({ get }) => get);

describe('the OpenAPI document', () => {
  test.each(LOCALES)(
    'is the one that is committed, in %s; `npm run -s openapi -- --lang` prints it',
    (locale) => {
      const file = join(import.meta.dirname, '../../../..', committed[locale]);
      expect(`${JSON.stringify(documentIn(locale), null, 2)}\n`).toBe(readFileSync(file, 'utf8'));
    },
  );

  test.each(LOCALES)('has the official schema of OpenAPI 3.1, in %s', async (locale) => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...documentIn(locale) });
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('is the same in both languages but for its texts, all of which differ', () => {
    const [ru, en] = [documentIn('ru'), documentIn('en')];
    expect(withoutTexts(ru)).toEqual(withoutTexts(en));
    const english = textsOf(en);
    expect(english.length).toBeGreaterThan(150);
    const untranslated = textsOf(ru).filter((text, index) => text === english[index]);
    expect([...new Set(untranslated)]).toEqual(['ISO 3166-1 alpha-2.']);
  });

  test.each(LOCALES)('has a text for everything, in %s', (locale) => {
    const { paths, components, tags } = documentIn(locale);
    const { headers, links, responses } = components;
    const shared = [headers, links, responses].flatMap((parts) => Object.values<Described>(parts));
    const all = [...tags, ...shared, ...Object.values(paths).flatMap(({ get }) => [get, ...get.parameters])];
    expect(all.filter(({ description }) => description === undefined || description === '')).toEqual([]);
    expect(Object.values(paths).every(({ get }) => get.summary.length > 0)).toBe(true);
  });

  test.each(LOCALES)('says of each field what the texts of its schema say, in %s', (locale) => {
    const { schemas } = documentIn(locale).components;
    const { any, ...own } = CATALOGUE[locale].api.fields;
    const said = (schema: string, way: string) =>
      valueAt(schemas[schema], `/properties/${way.replaceAll('.', '/properties/')}/description`);
    for (const [schema, texts] of Object.entries(own))
      for (const [way, text] of Object.entries(texts))
        expect(said(schema, way), `${schema} ${way}`).toBe(text);
    for (const [field, text] of Object.entries(any))
      expect(
        Object.keys(schemas).map((schema) => said(schema, field)),
        field,
      ).toContain(text);
  });

  test.each(LOCALES)('has an example for every body, and each one has its schema, in %s', (locale) => {
    const { paths, components } = documentIn(locale);
    for (const { get } of Object.values(paths)) {
      const body = ROUTES.find(({ operation }) => operation === get.operationId)?.body;
      expectSchema(String(body?.meta()?.id), exampleOf(get.responses['200']));
    }
    for (const response of Object.values(components.responses)) expectSchema('Error', exampleOf(response));
  });

  test('links lead to operations, by parameters that these have', () => {
    for (const { operationId, parameters } of Object.values(document.components.links)) {
      const target = operations.find((operation) => operation.operationId === operationId);
      const names = target?.parameters.map(({ name }) => name);
      expect(names, operationId).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
  });

  test('links find in an answer what they lead to', () => {
    const found = operations.flatMap(({ responses: { 200: answer } }) =>
      Object.keys(answer?.['links'] ?? {})
        .flatMap((name) => Object.values(document.components.links[name]?.parameters ?? {}))
        .filter((value) => value.startsWith('$response.body#'))
        .map((expression) => valueAt(exampleOf(answer), expression.slice('$response.body#'.length))),
    );
    expect(found).toEqual(['ai-news', 'ai-news', 'technology']);
  });
});

function exampleOf(response: Described | undefined): unknown {
  const content = response?.['content'] as
    | { 'application/json': { examples: { example: { value: unknown } } } }
    | undefined;
  return content?.['application/json'].examples.example.value;
}

/** By a JSON pointer. */
function valueAt(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce(
    (inner, step) => (inner as Readonly<Record<string, unknown>> | undefined)?.[step],
    value,
  );
}

const TEXTS: ReadonlySet<string> = new Set(['title', 'summary', 'description']);

/** Without what is written for people; of examples, whose texts stand anywhere, the form alone. */
function withoutTexts(node: unknown, isExample = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutTexts(item, isExample));
  if (typeof node !== 'object' || node === null) return isExample ? typeof node : node;
  const kept = Object.entries(node).filter(([key, value]) => isExample || !isText(key, value));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutTexts(value, isExample || key === 'examples')]),
  );
}

/** All texts in the order of the document, those of examples left out. */
function textsOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (isText(key, value)) return [String(value)];
    return key === 'examples' ? [] : textsOf(value);
  });
}

/** A field of a body may have such a name too, but then a schema stands there. */
function isText(key: string, value: unknown): boolean {
  return TEXTS.has(key) && typeof value === 'string';
}

test.each(LOCALES)('operations have short titles in %s, and a reader learns where to ask', (locale) => {
  const { info, paths } = documentIn(locale);
  for (const [path, { get }] of Object.entries(paths)) {
    expect(get.summary.length, path).toBeLessThanOrEqual(20);
  }
  expect(info.contact.url).toBe('http://localhost:8080/docs');
});
