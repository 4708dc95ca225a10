import { z } from 'zod';

import { STRUCTURED } from '../parse-cloudevent.ts';
import { type CloudEvent, envelopeSchema } from '../envelope.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { exampleOf } from '../../platform/schema-field-texts.ts';
import type { JsonObject } from '../../platform/json-value.ts';
import type { EventType } from '../event.ts';
import type { TopicSpec } from '../log/port.ts';
import { REJECTED_TYPE, rejectedData } from '../rejection.ts';
import { EVENT_TYPES, REJECTED } from '../event-types.ts';
import texts from './texts.json' with { type: 'json' };

/** One version of a type, and how it is described. */
interface MessageVersion {
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

/** What of a type is described. */
type DescribedType = Pick<EventType, 'name' | 'subject' | 'versions'>;

/** We publish it ourselves, so it is none of the types that are read. */
const REJECTION: DescribedType = {
  name: REJECTED_TYPE,
  subject: z
    .string()
    .min(1)
    .meta({ description: 'The source of what was refused; "unknown" where it could not be read.' }),
  versions: [rejectedData],
};

/** The versions of the types that stand on a topic, and how they are described. */
export function messageVersionsOn(topic: TopicSpec): readonly MessageVersion[] {
  const types =
    topic.name === REJECTED ? [REJECTION] : EVENT_TYPES.filter((type) => type.topic === topic.name);
  return types.flatMap(versionsOf);
}

/** Of each type what it is, in a sentence or two, and an event: its data is that of the examples of its fields, but for what stands there. */
const TYPES: Readonly<Record<string, { readonly summary: string; readonly example: EventExample }>> =
  texts.types;

type EventExample = Omit<CloudEvent, 'specversion' | 'type' | 'data'> & { readonly data?: JsonObject };

function versionsOf({ name, subject, versions }: DescribedType): readonly MessageVersion[] {
  const told = TYPES[name];
  if (!told) throw new Error(`texts.json says nothing of ${name}`);
  return versions.map((data, index) => {
    const type = `${name}.v${index + 1}`;
    const schemas = { subject: jsonSchemaOf(subject), data: jsonSchemaOf(data) };
    const example = eventOf(type, data, told.example);
    return { name: schemaName(type), type, summary: told.summary, ...schemas, example };
  });
}

/** In the structured mode; docs/reference/events.md shows the same. */
function eventOf(type: string, schema: z.ZodType, { data, ...attributes }: EventExample): CloudEvent {
  const { id, source, ...others } = attributes;
  // Events carry objects, and the examples of their fields make one.
  const fields = exampleOf(schema) as JsonObject;
  return { specversion: '1.0', id, source, type, ...others, data: { ...fields, ...data } };
}

/** `catalog.entry.published.v1`: `EntryPublishedV1`. */
function schemaName(type: string): string {
  return type.split('.').slice(1).map(capitalized).join('');
}

export function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

const { type: _type, subject: _subject, ...ATTRIBUTES } = jsonSchemaOf(envelopeSchema).properties ?? {};
const OWN = ['type', 'subject'];
const REQUIRED = (jsonSchemaOf(envelopeSchema).required ?? []).filter((name) => !OWN.includes(name));

/** The parts that messages share; each one adds its own type, subject and data. */
export const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Envelope: {
    type: 'object',
    description: texts.attributes,
    required: REQUIRED,
    properties: ATTRIBUTES,
  },
  StructuredHeaders: texts.headers as JsonSchema,
  BinaryHeaders: {
    type: 'object',
    description: texts.binaryHeaders,
    required: REQUIRED.map(header),
    properties: {
      ...Object.fromEntries(REQUIRED.map((name) => [header(name), ATTRIBUTES[name] ?? {}])),
      'content-type': { type: 'string', description: 'A JSON media type, or absent.' },
    },
  },
};

/** The header that an attribute stands in. */
function header(attribute: string): string {
  return `ce_${attribute}`;
}
