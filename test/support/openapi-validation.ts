import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

import { openApiDocument } from '../../src/api/openapi/document.ts';

/**
 * Holds responses to the emitted OpenAPI document: the status is listed, the headers have their forms, the body has its
 * schema and not a field more. Errors that no operation lists (405, unknown routes, what the parser refuses) are held
 * to the shared error and the headers that every response carries.
 */

interface HeaderForm {
  readonly required?: boolean;
  readonly schema: object;
}

interface ResponseForm {
  /** Shared ones by reference, others as they are. */
  readonly headers: Readonly<Record<string, { readonly $ref: string } | HeaderForm>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly components: {
    readonly headers: Readonly<Record<string, HeaderForm>>;
    readonly responses: Readonly<Record<string, ResponseForm>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Readonly<Record<string, unknown>> } }>
  >;
}

const emitted = openApiDocument({ locale: 'en', publicUrl: 'http://localhost:8080' });
// The document is ours, and other tests hold it to the OpenAPI schema; here its parts are looked up by name.
const document = closed(emitted) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
ajv.addFormat('iri', (text) => URL.canParse(text));
ajv.addSchema({ $id: 'openapi', components: document.components });
const compiled = new Map<string, ValidateFunction>();

/**
 * @param path below `/api/v1`, with or without a query.
 * @returns the parsed body; null where there is none (HEAD, 204, 304).
 */
export async function expectDocumented(response: Response, path: string, method = 'GET'): Promise<unknown> {
  const text = await response.text();
  const form = formOf(path, method, response.status);
  for (const [name, header] of Object.entries(form.headers)) {
    const isOptional = 'required' in header && !header.required;
    if (isOptional && !response.headers.has(name)) continue;
    expectHeader(name, response.headers.get(name), response.status);
  }
  if (text === '') {
    expect(
      method === 'HEAD' || response.status === 204 || response.status === 304,
      'a body was expected',
    ).toBe(true);
    return null;
  }
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  const schema = form.content?.['application/json']?.schema;
  expect(schema, `${response.status} has a body, and none is documented`).toBeDefined();
  expectValid(`body of ${path} ${response.status}`, schema ?? {}, body);
  return body;
}

/** Holds one value to a schema of the document, by the name of its component. */
export function expectSchema(component: string, value: unknown): void {
  expectValid(component, { $ref: `#/components/schemas/${component}` }, value);
}

const UNLISTED = new Set([400, 404, 405, 408, 413, 414, 431]);

function formOf(path: string, method: string, status: number): ResponseForm {
  const { BadRequest } = document.components.responses;
  expect(BadRequest).toBeDefined();
  const shared = BadRequest ?? { headers: {} };
  if (method === 'OPTIONS' && status === 204) return { headers: withoutBodyHeaders(shared.headers) };
  const operation = Object.entries(document.paths).find(([pattern]) => patternOf(pattern).test(path))?.[1]
    .get;
  const listed = operation?.responses[String(status)];
  if (listed === undefined) {
    expect(UNLISTED.has(status), `${status} is not documented for ${path}`).toBe(true);
    return shared;
  }
  return resolve(listed);
}

function resolve(listed: unknown): ResponseForm {
  const reference = (listed as { readonly $ref?: string }).$ref?.split('/').at(-1);
  return (reference === undefined ? listed : document.components.responses[reference]) as ResponseForm;
}

function withoutBodyHeaders(headers: ResponseForm['headers']): ResponseForm['headers'] {
  const { 'Cache-Control': _cache, 'Content-Language': _language, ...others } = headers;
  return others;
}

function expectHeader(name: string, text: string | null, status: number): void {
  const { required = true, schema = {} } = document.components.headers[name] ?? {};
  if (text === null && !required) return;
  expect(text, `${status} has no ${name}`).not.toBeNull();
  const isNumber = 'type' in schema && schema.type === 'integer';
  expectValid(`header ${name}`, schema, isNumber ? Number(text) : text);
}

function expectValid(what: string, schema: object, value: unknown): void {
  const key = JSON.stringify(schema);
  const validate =
    compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')) as object);
  compiled.set(key, validate);
  expect(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

/** A path of the document as an expression; the query does not matter. */
function patternOf(path: string): RegExp {
  return new RegExp(`^(?:/api/v1)?${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`);
}

/** The same document with every object closed, so that a field that is not documented is found. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && 'type' in copy ? { additionalProperties: false, ...copy } : copy;
}
