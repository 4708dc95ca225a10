import { z } from 'zod';

import { publishedData, type PublishedData } from '../../src/events/entry-events.ts';
import { outputFields } from '../../src/events/fields.ts';
import { botMeasured, channelMeasured, miniappMeasured } from '../../src/events/measurement-events.ts';
import type { RegisterValue } from '../../src/projecting/engine/register.ts';

/** What a listing document holds: the registers that are joined, and the view that is computed from them. */

export type Kind = PublishedData['kind'];
export const KINDS: readonly Kind[] = publishedData.shape.kind.options;

/** Text in one or both languages; at least one is there. */
export type Localized = PublishedData['title'];

const { revision: _revision, ...published } = outputFields(publishedData.shape);
export const content = z.object(published);
export type Content = z.infer<typeof content>;

const channelMeasures = measures(channelMeasured.shape);
const botMeasures = measures(botMeasured.shape);
const miniappMeasures = measures(miniappMeasured.shape);

/** Without what a measurement's register is found by. */
function measures<Shape extends { measured_at: z.ZodType; kind: z.ZodType }>(shape: Shape) {
  const { measured_at: _measuredAt, kind: _kind, ...measured } = outputFields(shape);
  return z.object(measured);
}

/** The received fields of one measurement, by the kind that was measured. */
export type ChannelMeasures = z.infer<typeof channelMeasures>;
export type Measures = ChannelMeasures | z.infer<typeof botMeasures> | z.infer<typeof miniappMeasures>;

const count = z.int().nonnegative();

export const change = z.object({ abs: z.int(), pct: z.number().nullable() });
export type Change = z.infer<typeof change>;
export const historyDay = z.object({ day: z.string(), value: count });
const shown = {
  measured_at: channelMeasured.shape.measured_at,
  growth: z.object({ d1: change.nullable(), d7: change.nullable(), d30: change.nullable() }),
  history: z.array(historyDay),
};
export const channelMetrics = channelMeasures.extend({
  err_pct: z.number().nonnegative().nullable(),
  ...shown,
});
export const botMetrics = botMeasures.extend(shown);
export const miniappMetrics = miniappMeasures.extend(shown);
export type ChannelMetrics = z.infer<typeof channelMetrics>;
export type BotMetrics = z.infer<typeof botMetrics>;
export type MiniappMetrics = z.infer<typeof miniappMetrics>;

export const PARTS = ['audience', 'engagement', 'growth', 'activity', 'trust'] as const;
export const REASONS = ['missing_inputs', 'short_history', 'small_sample'] as const;

const outOf100 = z.number().min(0).max(100);
const share = z.number().min(0).max(1);

export const scorePart = z.object({ key: z.enum(PARTS), value: outOf100, weight: share, points: outOf100 });
export const score = z.object({
  /** One decimal; orders by score use this number. */
  value: outOf100,
  preliminary: z.boolean(),
  preliminary_reasons: z.array(z.enum(REASONS)),
  /** Two decimals. */
  coverage: share,
  formula: z.string(),
  breakdown: z.array(scorePart),
});
export type Score = z.infer<typeof score>;

const audience = z.object({ value: count, unit: z.enum(['subscribers', 'monthly_users']) });

export const publishedFields = content.extend({
  published: z.literal(true),
  updated_at: z.string(),
  audience: audience.nullable(),
  score,
});

/** A published entry: everything about it that does not depend on the reader's language. Instants are kept in full. */
const publishedView = z.discriminatedUnion('kind', [
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
  readonly content: RegisterValue<Content> | null;
  /** The newest measurement of each kind, by `measured_at`. */
  readonly metrics: Readonly<Record<string, RegisterValue<Measures> | null>>;
  /** The last audience of each UTC day, of each kind, by `measured_at`. */
  readonly audience: Readonly<Record<string, Readonly<Record<string, RegisterValue<number> | null>>>>;
}
