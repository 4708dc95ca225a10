import { expect, test } from 'vitest';

import type { Schema } from '../../../../../src/api/openapi/schemas.ts';
import type { Operation } from '../../../../../src/api/pages/docs/reference/api-description.ts';
import { fieldList } from '../../../../../src/api/pages/docs/reference/fields.ts';
import { initialUrl, parameterForm } from '../../../../../src/api/pages/docs/reference/parameter-form.ts';
import { shapeOf } from '../../../../../src/api/pages/docs/reference/schema-shape.ts';
import { readGuide } from '../../../../../src/api/pages/docs/guide-sections.ts';
import { docsContextIn } from '../../../../../src/api/pages/docs/docs-context.ts';
import { openApiDocument } from '../../../../../src/api/openapi/document.ts';
import { DEFAULT_POLICY } from '../../../../../src/monitor/policy.ts';

const context = docsContextIn(
  'en',
  'http://localhost',
  { dailyLimit: 1000, policy: DEFAULT_POLICY, hasAccounts: true, guide: readGuide() },
  '',
);

test.each<[Schema, string, string]>([
  [{ type: 'integer', minimum: 1, maximum: 50 }, 'integer', '1…50'],
  [{ type: 'integer', exclusiveMinimum: 0 }, 'integer', '≥ 1'],
  [{ type: 'string', maxLength: 128 }, 'string', '≤ 128'],
  [{ type: ['string', 'null'], format: 'date-time' }, 'string (date-time) | null', ''],
  [{ anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] }, 'Node | null', ''],
  [{ type: 'array', items: { $ref: '#/components/schemas/Node' } }, 'Node[]', ''],
  [{ type: 'array', items: { type: 'string' } }, 'string[]', ''],
])('%j is %s', (schema, type, bounds) => {
  const shape = shapeOf(schema, { Node: { type: 'object', properties: { id: { type: 'string' } } } });
  expect([shape.type, shape.bounds]).toEqual([type, bounds]);
});

test('a form that depends on a field is told as what all have, and what only some have', () => {
  const common = { title: { type: 'string' } };
  const schemas = {
    A: { type: 'object', properties: { kind: { type: 'string', enum: ['a'] }, ...common } },
    B: { type: 'object', properties: { kind: { type: 'string', enum: ['b'] }, ...common, extra: {} } },
  };
  const mapping = { a: '#/components/schemas/A', b: '#/components/schemas/B' };
  const schema = { oneOf: [{}, {}], discriminator: { propertyName: 'kind', mapping } };
  const { fields, variants } = shapeOf(schema, schemas);
  expect(fields.map(({ name }) => name)).toEqual(['kind', 'title']);
  expect(fields[0]?.schema.enum).toEqual(['a', 'b']);
  expect(variants.map(({ name, fields: own }) => [name, own.map((one) => one.name)])).toEqual([
    ['b', ['extra']],
  ]);
});

test('a schema that holds itself is opened once', () => {
  const Node: Schema = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    },
  };
  const markup = String(fieldList({ $ref: '#/components/schemas/Node' }, { id: 'x' }, { Node }, context));
  expect(markup.match(/>id</g)).toHaveLength(1);
});

test('the first samples ask in the language of the page, and for an example of what must be given', () => {
  const operation = {
    path: '/listings/{slug}',
    parameters: [
      { name: 'slug', in: 'path', required: true, example: 'a/b', schema: {} },
      { name: 'locale', in: 'query', schema: {} },
      { name: 'limit', in: 'query', schema: {} },
    ],
  } as unknown as Operation;
  expect(initialUrl('http://x/api/v1', operation, 'en')).toBe('http://x/api/v1/listings/a%2Fb?locale=en');
});

test('the form offers a choice wherever the values are known: yes or no, and the categories that there are', () => {
  const { paths, components } = openApiDocument({ locale: 'en', publicUrl: 'http://localhost' }) as never as {
    readonly paths: Readonly<Record<string, { readonly get: Omit<Operation, 'path'> }>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const { get } = paths['/search'] ?? {};
  const operation = { ...get, path: '/search' } as Operation;
  const form = String(parameterForm(operation, components.schemas, context)).replaceAll(/\s+/g, ' ');
  expect(form).toMatch(
    /<select id="searchListings-matches"[^>]*> <option value=""><\/option><option >true<\/option><option >false<\/option> <\/select>/,
  );
  expect(form).toMatch(/<input id="searchListings-category"[^>]* list="searchListings-category-list"/);
  expect(form).toContain('data-choices="en/categories"');
  expect(form).toContain('<datalist id="searchListings-category-list"></datalist>');
});
