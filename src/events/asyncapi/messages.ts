import { STRUCTURED } from '../content.ts';
import { envelopeSchema, type CloudEvent } from '../envelope.ts';
import type { JsonSchema } from './rules.ts';
import { jsonSchemaOf } from './schema.ts';

/** One version of a type, and how it is described. */
export interface Told {
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

const { type: _type, subject: _subject, ...ATTRIBUTES } = jsonSchemaOf(envelopeSchema).properties ?? {};
const OWN = ['type', 'subject'];
const REQUIRED = (jsonSchemaOf(envelopeSchema).required ?? []).filter((name) => !OWN.includes(name));

/** The parts that messages share; each one adds its own type, subject and data. */
export const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Envelope: {
    type: 'object',
    description:
      'The attributes of a CloudEvent 1.0. Extension attributes are allowed, and nobody reads them.',
    required: REQUIRED,
    properties: ATTRIBUTES,
  },
  StructuredHeaders: {
    type: 'object',
    description:
      'Names are compared without regard to case. A record without any of these headers is read the same.',
    properties: { 'content-type': { type: 'string', description: `${STRUCTURED}; parameters are allowed.` } },
  },
  BinaryHeaders: {
    type: 'object',
    description:
      'Names are compared without regard to case. Extension attributes are allowed, and nobody reads them.',
    required: REQUIRED.map(header),
    properties: {
      ...Object.fromEntries(REQUIRED.map((name) => [header(name), ATTRIBUTES[name] ?? {}])),
      'content-type': { type: 'string', description: 'A JSON media type, or absent.' },
    },
  },
};

/** The whole event stands in the value. */
export function structuredMessage(told: Told): object {
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
export function binaryMessage(told: Told): object {
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

function common({ type, summary, subject }: Told, mode: string): object {
  return {
    name: type,
    title: `${type}, ${mode}`,
    summary,
    bindings: { kafka: { key: subject, bindingVersion: KAFKA_BINDING } },
  };
}

export const KAFKA_BINDING = '0.5.0';

function header(attribute: string): string {
  return `ce_${attribute}`;
}

function reference({ name }: Told): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** In draft 7, nothing may stand beside a reference. */
function both(shared: keyof typeof SHARED_SCHEMAS, own: JsonSchema | object): object {
  return { type: 'object', allOf: [{ $ref: `#/components/schemas/${shared}` }, own] };
}
