import { z } from 'zod';

import { textsOf } from '../../platform/field-texts.ts';
import type { Locale } from '../../texts/texts.ts';

type Schemas = Readonly<Record<string, unknown>>;

/**
 * Completes the generated schemas: the texts of each field, as its schema has them, and nothing of what upstream's values
 * are held to, which readers are not promised.
 */
export function describeFields(schemas: Schemas, bodies: readonly z.ZodType[], locale: Locale): void {
  const objects = new Set<z.ZodObject>();
  for (const body of bodies) collectObjects(body, objects);
  for (const object of objects) {
    const { id } = object.meta() ?? {};
    if (id !== undefined) describe(schemas[id], object, locale);
  }
  for (const schema of Object.values(schemas)) dropLimits(schema);
}

function describe(schema: unknown, object: z.ZodObject, locale: Locale): void {
  if (!hasProperties(schema)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    const field = object.shape[name] as z.ZodType;
    const { [locale]: description } = textsOf(field) ?? {};
    if (description !== undefined) property['description'] = description;
    const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
    if (inner instanceof z.ZodObject) describe(property, inner, locale);
  }
}

/** Every object below a schema, itself included. */
function collectObjects(schema: z.core.SomeType, found: Set<z.ZodObject>): void {
  const isWrapped =
    schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodLazy;
  if (isWrapped) collectObjects(schema.unwrap(), found);
  if (schema instanceof z.ZodArray) collectObjects(schema.element, found);
  if (schema instanceof z.ZodUnion) for (const option of schema.options) collectObjects(option, found);
  if (!(schema instanceof z.ZodObject) || found.has(schema)) return;
  found.add(schema);
  for (const field of Object.values(schema.shape)) collectObjects(field, found);
}

const LIMITS = ['pattern', 'minLength', 'maxLength', 'maxItems'] as const;

function dropLimits(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, items } = schema as { readonly properties?: object; readonly items?: unknown };
  for (const limit of LIMITS) if (limit in schema) delete (schema as Record<string, unknown>)[limit];
  for (const inner of [...Object.values(properties ?? {}), items]) dropLimits(inner);
}

function hasProperties(
  schema: unknown,
): schema is { readonly properties: Readonly<Record<string, Record<string, unknown>>> } {
  return typeof schema === 'object' && schema !== null && 'properties' in schema;
}
