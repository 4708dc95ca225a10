import { STRUCTURED } from '../content.ts';
import type { CloudEvent } from '../envelope.ts';
import type { JsonSchema } from './schema.ts';
import { header, OWN, type SHARED_SCHEMAS } from './shared-schemas.ts';

/** One version of a type, and how it is described. */
export interface MessageVersion {
  /** `EntryPublishedV1` */
  readonly name: string;
  /** With its version: `catalog.entry.published.v1`. */
  readonly type: string;
  readonly summary: string;
  /** Of the subject, which is the key of the record too. */
  readonly subject: JsonSchema;
  readonly data: JsonSchema;
  /** In the structured mode. */
  readonly example: CloudEvent;
}

/** The whole event stands in the value. */
export function structuredMessage(told: MessageVersion): object {
  const { type, subject, example } = told;
  const own = { type: { type: 'string', const: type }, subject, data: reference(told) };
  return {
    ...common(told, 'structured'),
    contentType: STRUCTURED,
    headers: { $ref: '#/components/schemas/StructuredHeaders' },
    payload: both('Envelope', { type: 'object', required: [...OWN, 'data'], properties: own }),
    examples: [{ headers: { 'content-type': STRUCTURED }, payload: example }],
  };
}

/** The attributes stand in headers, the value is the data. */
export function binaryMessage(told: MessageVersion): object {
  const { type, subject, example } = told;
  const own = { ce_type: { type: 'string', const: type }, ce_subject: subject };
  const { data, datacontenttype = 'application/json', ...attributes } = example;
  const headers = Object.entries(attributes).map(([name, value]) => [header(name), value]);
  return {
    ...common(told, 'binary'),
    contentType: 'application/json',
    headers: both('BinaryHeaders', { type: 'object', required: OWN.map(header), properties: own }),
    payload: reference(told),
    examples: [
      { headers: { 'content-type': datacontenttype, ...Object.fromEntries(headers) }, payload: data },
    ],
  };
}

function common({ type, summary, subject }: MessageVersion, mode: string): object {
  return {
    name: type,
    title: `${type}, ${mode}`,
    summary,
    bindings: { kafka: { key: subject, bindingVersion: KAFKA_BINDING } },
  };
}

export const KAFKA_BINDING = '0.5.0';

function reference({ name }: MessageVersion): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** In draft 7, nothing may stand beside a reference. */
function both(shared: keyof typeof SHARED_SCHEMAS, own: JsonSchema | object): object {
  return { type: 'object', allOf: [{ $ref: `#/components/schemas/${shared}` }, own] };
}
