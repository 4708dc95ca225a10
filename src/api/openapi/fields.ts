import type { Texts } from '../messages/texts.ts';

/**
 * Adds descriptions to the generated schemas. Schemas are language-neutral; texts are found by component and field, and
 * a field that means the same everywhere has one text under `anywhere`.
 */
export function describeFields(
  schemas: Readonly<Record<string, unknown>>,
  texts: Texts['openApi']['fields'],
): void {
  const { anywhere, ...components } = texts;
  const byComponent: Readonly<Record<string, Descriptions>> = components;
  for (const [name, schema] of Object.entries(schemas))
    describe(schema, { ...anywhere, ...byComponent[name] });
}

type Descriptions = Readonly<Record<string, string>>;

function describe(schema: unknown, descriptions: Descriptions): void {
  if (!hasProperties(schema)) return;
  for (const [field, property] of Object.entries(schema.properties)) {
    const description = Object.hasOwn(descriptions, field) ? descriptions[field] : undefined;
    if (description !== undefined) property['description'] = description;
    describe(property, descriptions);
  }
}

interface WithProperties {
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
}

function hasProperties(schema: unknown): schema is WithProperties {
  return typeof schema === 'object' && schema !== null && 'properties' in schema;
}
