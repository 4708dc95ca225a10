import { type OpenApiOptions, openApiDocument } from '../../../openapi/document.ts';

/** The OpenAPI document as the reference reads it: only what the reference shows, with references followed. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: string | number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: string;
  readonly schema: Schema;
}

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Answer {
  readonly description: string;
  readonly headers: readonly string[];
  /** Of its body; a 304 has none. */
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** By status. */
  readonly answers: ReadonlyMap<string, Answer>;
  readonly links: readonly { readonly operation: string; readonly description: string }[];
}

export interface Described {
  readonly operations: readonly Operation[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly headers: ReadonlyMap<string, Header>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface RawAnswer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema: Schema; readonly examples: Readonly<Record<string, { readonly value: unknown }>> }
    >
  >;
  readonly links?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, RawAnswer>>;
}

interface RawDocument {
  readonly tags: Described['tags'];
  readonly paths: Readonly<Record<string, { readonly get: RawOperation }>>;
  readonly components: {
    readonly headers: Readonly<Record<string, Header>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, RawAnswer>>;
    readonly links: Readonly<Record<string, { readonly operationId: string; readonly description: string }>>;
  };
}

export function describedApi(options: OpenApiOptions): Described {
  const document = openApiDocument(options) as unknown as RawDocument;
  const { headers, schemas } = document.components;
  return {
    operations: Object.entries(document.paths).map(([path, { get }]) => operation(path, get, document)),
    tags: document.tags,
    headers: new Map(Object.entries(headers)),
    schemas,
  };
}

function operation(path: string, raw: RawOperation, { components }: RawDocument): Operation {
  const answers = Object.entries(raw.responses).map(([status, one]) => {
    const found = one.$ref === undefined ? one : components.responses[nameIn(one.$ref)];
    return [status, answer(found ?? one)] as const;
  });
  const links = Object.values(raw.responses).flatMap((one) => Object.values(one.links ?? {}));
  return {
    id: raw.operationId,
    tag: raw.tags[0],
    path,
    summary: raw.summary,
    description: raw.description,
    parameters: raw.parameters,
    answers: new Map(answers),
    links: links.flatMap(({ $ref }) => {
      const link = components.links[nameIn($ref)];
      return link ? [{ operation: link.operationId, description: link.description }] : [];
    }),
  };
}

function answer({ description, headers = {}, content }: RawAnswer): Answer {
  const json = content?.['application/json'];
  const common = { description, headers: Object.keys(headers) };
  return json ? { ...common, schema: json.schema, example: json.examples['example']?.value } : common;
}

/** The last part of a reference within the document. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
