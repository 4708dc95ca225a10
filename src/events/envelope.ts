import { z } from 'zod';

import { withTexts } from '../platform/schema-field-texts.ts';
import type { Instant } from '../platform/time/instant.ts';
import type { JsonObject } from '../platform/json-value.ts';
import { isJson } from './parse-cloudevent.ts';
import { instant, isWithin, object, optional } from './fields.ts';
import { type Identity, oneLine, type Problem, problemsOf } from './rejection.ts';

/** A CloudEvent 1.0 as upstream writes it, in the JSON form of the structured mode. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** Unique for its `source`. */
  readonly id: string;
  /** A URI reference that names the publisher. */
  readonly source: string;
  /** With its version: `catalog.entry.published.v1`. */
  readonly type: string;
  /** What it is about; the key of its record. */
  readonly subject: string;
  /** RFC 3339, with any offset. */
  readonly time: string;
  readonly datacontenttype?: string;
  readonly data: JsonObject;
}

/** A checked envelope, without its data. */
export interface Envelope extends Pick<CloudEvent, 'id' | 'source' | 'type' | 'subject'> {
  readonly time: Instant;
  /** As received: it belongs to the event's digest. */
  readonly timeReceived: string;
}

/** The attributes that every type has. Extension attributes are allowed, and nobody reads them. */
export const envelopeSchema = object({
  specversion: z.literal('1.0', { error: '"1.0"' }),
  id: withTexts(attribute(128), { publishers: 'Unique for its source.' }),
  source: withTexts(
    attribute(2048, /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/, 'a URI reference'),
    { publishers: 'A URI reference that names the publisher.' },
  ),
  type: attribute(256),
  subject: attribute(128),
  time: withTexts(instant, {
    publishers: 'When it happened. Carried, and never used to decide which event wins.',
  }),
  datacontenttype: withTexts(
    optional(z.string({ error: 'a JSON media type' }).refine(isJson, { error: 'a JSON media type' })),
    { publishers: 'A JSON media type: application/json, or one that ends in +json.' },
  ),
  data_base64: withTexts(z.null({ error: 'nothing: data must be JSON' }).optional(), {
    publishers: 'Data must be JSON.',
  }),
});

/** CloudEvents attributes exclude control characters and unpaired surrogates (CloudEvents 1.0.2, "Type System"). */
function attribute(
  maximum: number,
  pattern = /^[^\p{Cc}\p{Cs}]+$/u,
  form = 'text without control characters',
) {
  const error = `${form} of 1 to ${maximum} characters`;
  return z
    .string({ error })
    .regex(pattern, { error })
    .refine((value) => isWithin(value, maximum), { error })
    .meta({ minLength: 1, maxLength: maximum });
}

/** The attributes, or everything that is wrong with them. */
export function readEnvelope(
  event: JsonObject,
): { readonly envelope: Envelope } | { readonly problems: readonly [Problem, ...Problem[]] } {
  const parsed = envelopeSchema.safeParse(event);
  if (!parsed.success) return { problems: problemsOf('bad_envelope', '', parsed.error, event) };
  return { envelope: { ...parsed.data, timeReceived: event['time'] as string } };
}

/** What can be said of an event that may be refused, so that upstream knows which one it was. */
export function identify(event: JsonObject | null, key: string | null): Identity {
  const name = (attributeName: keyof Identity, maximum: number): string | null => {
    const value = event?.[attributeName];
    return typeof value === 'string' && value !== '' ? oneLine(value, maximum) : null;
  };
  return {
    id: name('id', 128),
    source: name('source', 2048),
    type: name('type', 256),
    subject: event === null && key !== null ? oneLine(key, 128) : name('subject', 128),
  };
}

/**
 * `catalog.entry.published.v1` in its parts. The version is 0, which no type has, where none is written or it is written
 * with leading zeros.
 */
export function splitType(type: string): { readonly name: string; readonly version: number } {
  const [, name, version] = /^(.+)\.v(\d+)$/s.exec(type) ?? [];
  if (name === undefined || version === undefined) return { name: type, version: 0 };
  return { name, version: version.startsWith('0') ? 0 : Number(version) };
}
