import { z } from 'zod';

/** What people are told of a field, in the languages of the API; beside the field itself, where it is declared. */
type FieldTexts = {
  /** A value for the documents that describe events and answers. */
  readonly example?: unknown;
  /** What publishers are told instead of `en`; null for nothing. They are told of events in English alone. */
  readonly publishers?: string | null;
} & (
  | { readonly en: string; readonly ru: string }
  /** Nothing that its name does not say. */
  | { readonly en?: never; readonly ru?: never }
);

const TEXTS = z.registry<FieldTexts>();

/** The same schema with these texts. It keeps those that it has for what is not given; others that share it get none. */
export function withTexts<Schema extends z.ZodType>(schema: Schema, texts: FieldTexts): Schema {
  const own = schema.clone();
  TEXTS.add(own, texts);
  return own;
}

/** Another form of a field, for other readers: with the texts of that field. */
export function withTextsOf<Schema extends z.ZodType>(field: z.ZodType, form: Schema): Schema {
  return withTexts(form, textsOf(field) ?? {});
}

export function textsOf(schema: z.core.$ZodType): FieldTexts | undefined {
  return TEXTS.get(schema);
}

/** The value that the examples of a schema's fields make together; undefined where there is none. */
export function exampleOf(schema: z.core.$ZodType): unknown {
  const { example } = textsOf(schema) ?? {};
  if (example !== undefined) return example;
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodDiscriminatedUnion) return exampleOf(schema.options[0] ?? z.never());
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, exampleOf(field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
