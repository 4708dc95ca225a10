import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

import { asyncApiDocument } from '../../src/events/asyncapi/document.ts';

/** The AsyncAPI document, and what it says of values. */

export interface Message {
  readonly name: string;
  readonly contentType: string;
  readonly payload: object;
  readonly headers: object;
  readonly examples: readonly { readonly headers: Record<string, string>; readonly payload: object }[];
  readonly bindings: { readonly kafka: { readonly key: object } };
}

interface Channel {
  readonly address: string;
  readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
  readonly bindings: {
    readonly kafka: { readonly partitions: number; readonly topicConfiguration: Record<string, unknown> };
  };
}

export interface Document {
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly channel: { $ref: string } }>
  >;
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas: object };
}

export const document = asyncApiDocument({ topicPrefix: '' }) as unknown as Document;
export const messages = Object.values(document.components.messages);

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'asyncapi', ...document });
const compiled = new Map<object, ValidateFunction>();

/** What a schema of the document has against a value; null where nothing. */
export function faults(schema: object, value: unknown): string | null {
  const text = JSON.stringify(schema).replaceAll('"#/', '"asyncapi#/');
  const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** The message of an event, in the structured mode unless it is told otherwise. */
export function messageOf(type: string, contentType = 'application/cloudevents+json'): Message {
  const found = messages.find((message) => message.name === type && message.contentType === contentType);
  if (!found) throw new Error(`no ${contentType} message of ${type}`);
  return found;
}
