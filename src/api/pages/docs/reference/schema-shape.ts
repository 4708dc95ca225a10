import type { Schema, Schemas } from '../../../openapi/schemas.ts';
import { nameIn } from './api-description.ts';

/** A schema with its references followed, in the words of the reference. */
export interface Shape {
  /** As TypeScript would write it: `string | null`, `HistoryDay[]`. */
  readonly type: string;
  readonly description: string;
  /** What it is held to, as `1…50`; empty where nothing is said. */
  readonly bounds: string;
  /** The values that it may have; empty where there are too many to name. */
  readonly values: readonly string[];
  /** Its fields, or those of its items; empty for what has none. */
  readonly fields: readonly Field[];
  /** Where its form depends on one of its fields: the fields that not all forms have. */
  readonly variants: readonly { readonly name: string; readonly fields: readonly Field[] }[];
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
}

export function shapeOf(schema: Schema, schemas: Schemas): Shape {
  const { own, isNullable, name } = followed(schema, schemas);
  const items = own.items && followed(own.items, schemas);
  const inner = items?.own ?? own;
  const { fields, variants } = fieldsOf(inner, schemas);
  const base = items ? `${items.name ?? typeName(items.own)}[]` : (name ?? typeName(own));
  const format = own.format === undefined || own.format === 'iri' ? '' : ` (${own.format})`;
  return {
    type: `${base}${format}${isNullable ? ' | null' : ''}`,
    description: schema.description ?? own.description ?? '',
    bounds: boundsOf(own),
    values: (own.enum ?? []).filter((value) => value !== null).map(String),
    fields,
    variants,
  };
}

/** Whether a schema stands within itself: such a one is not opened again. */
export function namesWithin(schema: Schema): readonly string[] {
  const inner = schema.items ?? schema.anyOf?.find((one) => one.type !== 'null') ?? schema;
  return inner.$ref === undefined ? [] : [nameIn(inner.$ref)];
}

function followed(
  schema: Schema,
  schemas: Schemas,
): { readonly own: Schema; readonly isNullable: boolean; readonly name?: string } {
  const [option, ...others] = (schema.anyOf ?? []).filter((one) => one.type !== 'null');
  if (option && others.length === 0) return { ...followed(option, schemas), isNullable: true };
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null');
  if (schema.$ref === undefined) return { own: schema, isNullable };
  const name = nameIn(schema.$ref);
  return { own: schemas[name] ?? {}, isNullable, name };
}

function typeName({ type = 'object' }: Schema): string {
  return [type]
    .flat()
    .filter((one) => one !== 'null')
    .join(' | ');
}

function boundsOf(schema: Schema): string {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength } = schema;
  const least = minimum ?? minLength ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const most = maximum ?? maxLength;
  if (most !== undefined) return least === undefined ? `≤ ${most}` : `${least}…${most}`;
  return least === undefined ? '' : `≥ ${least}`;
}

function fieldsOf(schema: Schema, schemas: Schemas): Pick<Shape, 'fields' | 'variants'> {
  const { oneOf, discriminator } = schema;
  if (!oneOf || !discriminator) return { fields: listed(schema), variants: [] };
  const forms = Object.entries(discriminator.mapping).map(([name, reference]) => ({
    name,
    fields: listed(schemas[nameIn(reference)] ?? {}),
  }));
  const isShared = ({ name }: Field) =>
    name === discriminator.propertyName ||
    new Set(forms.map((form) => written(form.fields, name))).size === 1;
  const [first] = forms;
  const shared = (first?.fields ?? [])
    .filter(isShared)
    .map((field) =>
      field.name === discriminator.propertyName
        ? { ...field, schema: { ...field.schema, enum: forms.map(({ name }) => name) } }
        : field,
    );
  const variants = forms.map(({ name, fields }) => ({
    name,
    fields: fields.filter((one) => !isShared(one)),
  }));
  return { fields: shared, variants: variants.filter(({ fields }) => fields.length > 0) };
}

function listed({ properties = {} }: Schema): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema }));
}

function written(fields: readonly Field[], name: string): string | undefined {
  return JSON.stringify(fields.find((field) => field.name === name)?.schema);
}
