import { z } from 'zod';

import { withTexts } from '../platform/schema-field-texts.ts';
import type { CatalogEvent, EventType } from './event.ts';
import {
  count,
  defaulting,
  flag,
  httpsUrl,
  instant,
  KINDS,
  list,
  object,
  optional,
  rate,
  rating,
  slug,
  text,
} from './fields.ts';

/** Metrics: one measurement of what stands under a slug, taken for one kind of entry. */

export const METRICS = 'catalog.metrics';

const measuredAt = withTexts(instant, {
  en: 'When the numbers were taken.',
  ru: 'Когда сняты показатели.',
  publishers: 'When the numbers were taken; the later measurement wins.',
  example: '2026-11-20T06:00:00Z',
});

export const channelMeasured = object({
  measured_at: measuredAt,
  kind: z.literal('channel'),
  subscribers: withTexts(count, { example: 48210 }),
  avg_views: withTexts(optional(rate), { example: 9120.5 }),
  avg_views_24h: withTexts(optional(rate), { example: 7044 }),
  er_pct: withTexts(optional(rate), {
    en: 'Reactions to views, in percent.',
    ru: 'Реакции к просмотрам, в процентах.',
    example: 4.31,
  }),
  posts_per_week: withTexts(optional(rate), { example: 11.5 }),
  mentions_30d: withTexts(optional(count), { example: 37 }),
});

export const botMeasured = object({
  measured_at: measuredAt,
  kind: z.literal('bot'),
  monthly_users: count,
  commands_count: optional(count),
  inline: optional(flag),
  mentions_30d: optional(count),
  rating: optional(rating),
});

export const miniappMeasured = object({
  measured_at: measuredAt,
  kind: z.literal('miniapp'),
  monthly_users: count,
  launch_url: optional(httpsUrl),
  platforms: defaulting(list(text(50)), []),
  mentions_30d: optional(count),
  rating: optional(rating),
});

const measuredData = z.discriminatedUnion('kind', [channelMeasured, botMeasured, miniappMeasured], {
  error: ({ path }) => (path?.at(-1) === 'kind' ? `one of ${KINDS.join(', ')}` : 'an object'),
});
export type MeasuredData = z.infer<typeof measuredData>;

export type EntryMeasured = CatalogEvent<'catalog.entry.measured', MeasuredData>;

export const METRICS_TYPES: readonly EventType[] = [
  {
    name: 'catalog.entry.measured',
    topic: METRICS,
    subject: slug,
    versions: [measuredData],
    upcasters: [],
    observedAt: 'measured_at',
  },
];
