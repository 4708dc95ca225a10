import { z } from 'zod';

import { textsOf } from '../../platform/schema-field-texts.ts';
import { publishedData } from '../entry-events.ts';
import { envelopeSchema } from '../envelope.ts';
import { httpsUrl, openUrl } from '../fields.ts';
import { probeCompletedData, targetDefinedData } from '../monitor-events.ts';

/** JSON Schema, draft 7: the dialect of AsyncAPI. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * What a publisher may send, as JSON Schema. It accepts whatever decoding accepts: unknown fields are not refused, and
 * optional ones may be null. Rules that are code in our schemas are said again here, as far as JSON Schema can say them.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...said } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema, path }) => {
      Object.assign(jsonSchema, RULES.get(zodSchema), ruleByForm(jsonSchema, path), portable(jsonSchema));
      // As strict as decoding is by its pattern; `iri` would refuse some of what browsers read.
      if (jsonSchema.format === 'iri') delete jsonSchema.format;
      describe(jsonSchema, zodSchema);
    },
  });
  return said;
}

/** What a field is comes before the form that it has. */
function describe(jsonSchema: JsonSchema, zodSchema: z.core.$ZodType): void {
  const description = publishersText(zodSchema);
  if (description === null) return;
  const form = { ...jsonSchema };
  for (const keyword of Object.keys(form)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, { description }, form);
}

function publishersText(schema: z.core.$ZodType): string | null {
  const { publishers, en = null } = textsOf(schema) ?? {};
  return publishers === undefined ? en : publishers;
}

/** As a class of characters, in words that every dialect of patterns has. */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f`;
const IN_A_URL = String.raw`[^\s\ufeff${CONTROL}"<>\\]`;

const A_JSON_TYPE = String.raw`^\s*[^/\s;]+/(?:[^/\s;]+\+)?[Jj][Ss][Oo][Nn]\s*(?:;[\s\S]*)?$`;

const RULES: ReadonlyMap<z.core.$ZodType, JsonSchema> = new Map<z.core.$ZodType, JsonSchema>([
  [envelopeSchema.shape.datacontenttype, { pattern: A_JSON_TYPE }],
  [httpsUrl, { pattern: `^https://${IN_A_URL}+$` }],
  [openUrl, { pattern: `^(?:https://|tg:)${IN_A_URL}*$` }],
  [targetDefinedData.shape.slow_ms, { default: 2000 }],
  [publishedData, unless({ kind: { const: 'channel' } }, nothing('subtype', publishedData))],
  [
    probeCompletedData,
    unless({ result: { enum: ['ok', 'slow'] } }, nothing('latency_ms', probeCompletedData)),
  ],
]);

/** Where the first fields are not like this, the others must be like that. */
function unless(first: Readonly<Record<string, JsonSchema>>, others: Readonly<Record<string, JsonSchema>>) {
  return { if: { properties: first }, else: { properties: others } };
}

function nothing(field: string, { shape }: z.ZodObject): Readonly<Record<string, JsonSchema>> {
  const description = publishersText(shape[field] ?? z.never()) ?? '';
  return { [field]: { description, type: 'null' } };
}

/** Rules of what has no name of its own: texts, and texts in two languages. */
function ruleByForm(schema: JsonSchema, path: readonly (string | number)[]): JsonSchema {
  const { type, maxLength, pattern, format, properties = {}, required } = schema;
  if (type === 'string' && maxLength !== undefined && pattern === undefined && format === undefined) {
    const lineFeeds = path.includes('description') ? String.raw`\r?\n` : '';
    return { pattern: lineFeeds === '' ? `^[^${CONTROL}]+$` : `^(?:[^${CONTROL}]|${lineFeeds})+$` };
  }
  const isLocalized = Object.keys(properties).join() === 'ru,en' && required === undefined;
  return isLocalized ? { anyOf: ['ru', 'en'].map(inLanguage) } : {};
}

function inLanguage(language: string): JsonSchema {
  return { required: [language], properties: { [language]: { type: 'string' } } };
}

/** A pattern with `\p{Cc}` is read by few. What it says of unpaired surrogates is left out: UTF-8 has none. */
function portable({ pattern }: JsonSchema): JsonSchema {
  return pattern === undefined ? {} : { pattern: pattern.replace(String.raw`\p{Cc}\p{Cs}`, CONTROL) };
}
