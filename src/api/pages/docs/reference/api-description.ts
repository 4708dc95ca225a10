import { type OpenApiOptions, openApiDocument } from '../../../openapi/document.ts';

/** The OpenAPI document, typed as far as the reference shows it. */

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

export type Schemas = Readonly<Record<string, Schema>>;

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
  readonly schema: Schema;
}

export interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
  readonly links?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Content {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Link {
  readonly operationId: string;
  readonly description: string;
}

interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: OperationObject }>>;
  readonly components: {
    readonly headers: Readonly<Record<string, Header>>;
    readonly schemas: Schemas;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly links: Readonly<Record<string, Link>>;
  };
}

/** With its references to answers and links followed. */
export interface Operation extends Omit<OperationObject, 'responses'> {
  readonly path: string;
  /** By status. */
  readonly answers: ReadonlyMap<string, Answer>;
  readonly links: readonly Link[];
}

export interface ApiDescription
  extends Pick<ApiDocument, 'tags'>, Pick<ApiDocument['components'], 'headers' | 'schemas'> {
  readonly operations: readonly Operation[];
}

export function describeApi(options: OpenApiOptions): ApiDescription {
  const { tags, paths, components } = openApiDocument(options) as unknown as ApiDocument;
  const answerOf = (one: Answer) =>
    one.$ref === undefined ? one : (components.responses[nameIn(one.$ref)] ?? one);
  const operations = Object.entries(paths).map(
    ([
      path,
      {
        get: { responses, ...operation },
      },
    ]) => {
      const links = Object.values(responses).flatMap((one) => Object.values(one.links ?? {}));
      return {
        ...operation,
        path,
        answers: new Map(Object.entries(responses).map(([status, one]) => [status, answerOf(one)])),
        links: links.flatMap(({ $ref }) => components.links[nameIn($ref)] ?? []),
      };
    },
  );
  return { operations, tags, headers: components.headers, schemas: components.schemas };
}

/** What an answer has in its body; a 304 has none. */
export function bodyOf({ content }: Answer): { readonly schema: Schema; readonly example: unknown } | null {
  const json = content?.['application/json'];
  return json === undefined ? null : { schema: json.schema, example: json.examples['example']?.value };
}

/** The last part of a reference within the document. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
