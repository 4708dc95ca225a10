import { z } from 'zod';

import { textsOf } from '../../platform/schema-field-texts.ts';
import { type Locale, TEXTS } from '../../texts/texts.ts';

/** JSON Schema 2020-12, which OpenAPI 3.1 speaks, as far as the document has it. */
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

type JsonSchema = z.core.JSONSchema.BaseSchema;

const DEFINED = '#/$defs/';
const COMPONENT = '#/components/schemas/';

/** A reference to a schema by its name. */
export function schemaReference(schema: z.core.$ZodType): { readonly $ref: string } {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error('A body of the API needs a name: `.meta({ id })`');
  return { $ref: `${COMPONENT}${name}` };
}

/** All schemas with a name in these bodies, by their names, with the texts of each field. */
export function namedSchemas(bodies: readonly z.ZodType[], locale: Locale): Schemas {
  const { $defs = {} } = z.toJSONSchema(z.union(bodies), {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      dropLimits(jsonSchema);
      Object.assign(jsonSchema, formOf(jsonSchema), discriminatorOf(zodSchema));
      const { [locale]: description } = textsOf(zodSchema) ?? {};
      if (description !== undefined) jsonSchema.description = description;
    },
  });
  const schemas = JSON.parse(JSON.stringify($defs).replaceAll(DEFINED, COMPONENT)) as Schemas;
  const texts: Readonly<Record<string, Descriptions>> = TEXTS[locale].api.fields;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      described(schema, { ...texts['any'], ...texts[name] }),
    ]),
  );
}

/** What fields mean, by their names; of a field within another one by both, as `links.next`. */
type Descriptions = Readonly<Record<string, string>>;

function described(schema: Schema, texts: Descriptions, above = ''): Schema {
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const { [above + name]: description = field.description } = texts;
    return [name, { ...described(field, texts, `${above}${name}.`), ...(description && { description }) }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** How a parameter is written. One that is read from text says its form itself; any other is what its schema is. */
export function parameterSchema(schema: z.ZodType): Schema {
  const form = schema.meta();
  const { $schema: _dialect, ...said } = form?.['type'] ? form : z.toJSONSchema(schema, { io: 'input' });
  return said as Schema;
}

const LIMITS = ['pattern', 'minLength', 'maxLength', 'maxItems'] as const;

/** What upstream's values are held to, which readers are not promised; and what every whole number is. */
function dropLimits(schema: JsonSchema): void {
  for (const limit of LIMITS) delete schema[limit];
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** A constant as a list of one, and null among the types: generators of clients read these forms best. */
function formOf(schema: JsonSchema): JsonSchema {
  const { const: only, anyOf: [first, second] = [] } = schema;
  if (only !== undefined) {
    delete schema.const;
    return { enum: [only] };
  }
  if (typeof first?.type !== 'string' || second?.type !== 'null') return {};
  delete schema.anyOf;
  dropLimits(first);
  const { enum: values } = first;
  return { ...first, type: [first.type, 'null'] as never, ...(values && { enum: [...values, null] }) };
}

/** By which field the forms of a body are told apart. */
function discriminatorOf(schema: z.core.$ZodType): object {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return {};
  const { discriminator: propertyName, options } = schema.def;
  const mapping = options.map((option) => {
    const { shape } = option as z.ZodObject;
    return [(shape[propertyName] as z.ZodLiteral).value, schemaReference(option).$ref];
  });
  return { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}
