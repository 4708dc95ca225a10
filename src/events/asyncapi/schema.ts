import { z } from 'zod';

import { type JsonSchema, portable, publishersText, ruleByForm, RULES } from './rules.ts';

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
