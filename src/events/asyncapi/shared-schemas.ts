import { STRUCTURED } from '../content.ts';
import { envelopeSchema } from '../envelope.ts';
import type { JsonSchema } from './schema.ts';
import { jsonSchemaOf } from './schema.ts';

const { type: _type, subject: _subject, ...ATTRIBUTES } = jsonSchemaOf(envelopeSchema).properties ?? {};
export const OWN = ['type', 'subject'];
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

/** The header that an attribute stands in. */
export function header(attribute: string): string {
  return `ce_${attribute}`;
}
