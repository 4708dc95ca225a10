import { z } from 'zod';

import { publishedFields } from '../../../projections/listings/document.ts';
import { withTextsOf } from '../../platform/schema-field-texts.ts';
import { LOCALES } from '../../texts/texts.ts';

/** What lists and listings show of an entry alike: schemas, made from those of the stored view. */

export const instant = z.string().meta({ format: 'date-time' });
export const count = z.int().nonnegative();

/** For named components: `.nullable()` of one would be taken into the component itself, for all who refer to it. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}

const stored = publishedFields.shape;

export const slug = z.string();
export const title = withTextsOf(stored.title, z.string());
const categoryName = z.object({ slug, title }).meta({ id: 'CategoryName' });

export const recordFields = {
  slug,
  title,
  username: stored.username,
  summary: withTextsOf(stored.summary, z.string().nullable()),
  language: stored.language,
  category: withTextsOf(stored.category, orNull(categoryName)),
  verified: stored.verified,
  flags: stored.flags,
  image_url: stored.image_url,
  page_url: stored.page_url,
  open_url: stored.open_url,
  updated_at: instant,
};

const briefScore = z
  .object({ value: z.number().min(0).max(100), preliminary: z.boolean() })
  .meta({ id: 'BriefScore' });

export const itemFields = { ...recordFields, score: briefScore };

/** What a list says of the request that it answers. */
export const requestFields = {
  locale: z.enum(LOCALES),
  kind: stored.kind.nullable(),
  category: z.string().nullable(),
};

/**
 * What differs from kind to kind, in a list and in a listing alike. The subtype is of channels alone, and null elsewhere.
 * All kinds show one type of it, because openapi-fetch drops fields that can only be null from what it answers with,
 * which then is no entry any more to the compiler.
 */
export const ofKind = {
  channel: { kind: z.literal('channel'), subtype: stored.subtype, audience: audienceIn('subscribers') },
  bot: { kind: z.literal('bot'), subtype: stored.subtype, audience: audienceIn('monthly_users') },
  miniapp: { kind: z.literal('miniapp'), subtype: stored.subtype, audience: audienceIn('monthly_users') },
};

function audienceIn<const Unit extends string>(unit: Unit) {
  return z.object({ value: count, unit: z.literal(unit) }).nullable();
}

/** What can be asked next with a list of entries. */
export const firstEntry = {
  name: 'listing',
  operation: 'getListing',
  parameters: { slug: '$response.body#/items/0/slug' },
} as const;
