import { z } from 'zod';

import type { Written } from '../../src/projecting/engine/register.ts';

/** What a listing document holds: the registers that are joined, and the view that is computed from them. */

export const KINDS = ['channel', 'bot', 'miniapp'] as const;
export const kind = z.enum(KINDS);
export type Kind = z.infer<typeof kind>;

/** Text in one or both languages; at least one is there. */
export const localized = z.object({ ru: z.string().nullable(), en: z.string().nullable() });
export type Localized = z.infer<typeof localized>;

const count = z.int().nonnegative();
const rate = z.number().nonnegative();
const rating = z.object({ value: z.number().min(0).max(5), count });

export const content = z.object({
  kind,
  subtype: z.enum(['broadcast', 'group']).nullable(),
  username: z.string(),
  title: localized,
  summary: localized.nullable(),
  description: localized.nullable(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  language: z.string().nullable(),
  country: z.string().nullable(),
  verified: z.boolean(),
  flags: z.array(z.string()),
  image_url: z.string().nullable(),
  page_url: z.string().nullable(),
  open_url: z.string().nullable(),
  links: z.array(z.object({ rel: z.string(), url: z.string() })),
  published_at: z.string(),
});
export type Content = z.infer<typeof content>;

const channelMeasures = z.object({
  subscribers: count,
  avg_views: rate.nullable(),
  avg_views_24h: rate.nullable(),
  er_pct: rate.nullable(),
  posts_per_week: rate.nullable(),
  mentions_30d: count.nullable(),
});
const botMeasures = z.object({
  monthly_users: count,
  commands_count: count.nullable(),
  inline: z.boolean().nullable(),
  mentions_30d: count.nullable(),
  rating: rating.nullable(),
});
const miniappMeasures = z.object({
  monthly_users: count,
  launch_url: z.string().nullable(),
  platforms: z.array(z.string()),
  mentions_30d: count.nullable(),
  rating: rating.nullable(),
});

/** The received fields of one measurement, by the kind that was measured. */
export type ChannelMeasures = z.infer<typeof channelMeasures>;
export type BotMeasures = z.infer<typeof botMeasures>;
export type MiniappMeasures = z.infer<typeof miniappMeasures>;
export type Measures = ChannelMeasures | BotMeasures | MiniappMeasures;

const change = z.object({ abs: z.int(), pct: z.number().nullable() });
export type Change = z.infer<typeof change>;
const shown = {
  measured_at: z.string(),
  growth: z.object({ d1: change.nullable(), d7: change.nullable(), d30: change.nullable() }),
  history: z.array(z.object({ day: z.string(), value: count })),
};
export const channelMetrics = channelMeasures.extend({ err_pct: rate.nullable(), ...shown });
export const botMetrics = botMeasures.extend(shown);
export const miniappMetrics = miniappMeasures.extend(shown);
export type ChannelMetrics = z.infer<typeof channelMetrics>;
export type BotMetrics = z.infer<typeof botMetrics>;
export type MiniappMetrics = z.infer<typeof miniappMetrics>;
export type Metrics = ChannelMetrics | BotMetrics | MiniappMetrics;

export const PARTS = ['audience', 'engagement', 'growth', 'activity', 'trust'] as const;
export const REASONS = ['missing_inputs', 'short_history', 'small_sample'] as const;

export const score = z.object({
  /** 0 to 100, one decimal; orders by score use this number. */
  value: z.number(),
  preliminary: z.boolean(),
  preliminary_reasons: z.array(z.enum(REASONS)),
  /** The weight of the parts that were there, 0 to 1, two decimals. */
  coverage: z.number(),
  formula: z.string(),
  breakdown: z.array(
    z.object({ key: z.enum(PARTS), value: z.number(), weight: z.number(), points: z.number() }),
  ),
});
export type Score = z.infer<typeof score>;

export const audience = z.object({ value: count, unit: z.enum(['subscribers', 'monthly_users']) });
export type Audience = z.infer<typeof audience>;

const publishedFields = content.extend({
  published: z.literal(true),
  updated_at: z.string(),
  audience: audience.nullable(),
  score,
});

/** A published entry: everything about it that does not depend on the reader's language. Instants are kept in full. */
export const publishedView = z.discriminatedUnion('kind', [
  publishedFields.extend({ kind: z.literal('channel'), metrics: channelMetrics.nullable() }),
  publishedFields.extend({ kind: z.literal('bot'), metrics: botMetrics.nullable() }),
  publishedFields.extend({ kind: z.literal('miniapp'), metrics: miniappMetrics.nullable() }),
]);
export type PublishedView = z.infer<typeof publishedView>;

/** `published: false` is unpublished, or measured and never published: readers see neither. */
export const listingView = z.union([publishedView, z.object({ published: z.literal(false) })]);
export type ListingView = z.infer<typeof listingView>;

export interface ListingRegisters {
  /** By revision; null inside is the tombstone of an unpublished entry. */
  readonly content: Written<Content> | null;
  /** The newest measurement of each kind, by `measured_at`. */
  readonly metrics: Readonly<Record<string, Written<Measures> | null>>;
  /** The last audience of each UTC day, of each kind, by `measured_at`. */
  readonly audience: Readonly<Record<string, Readonly<Record<string, Written<number> | null>>>>;
}
