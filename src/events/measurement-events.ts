import { z } from 'zod';

import { withTexts } from '../platform/schema-field-texts.ts';
import type { CatalogEvent, EventType } from './event.ts';
import {
  count,
  defaulting,
  describedObject,
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
import texts from './field-texts.json' with { type: 'json' };

/** Metrics: one measurement of what stands under a slug, taken for one kind of entry. */

export const METRICS = 'catalog.metrics';

const measuredAt = withTexts(instant, texts.measuredAt);

export const channelMeasured = describedObject(texts.channelMeasured, {
  measured_at: measuredAt,
  kind: z.literal('channel'),
  subscribers: count,
  avg_views: optional(rate),
  avg_views_24h: optional(rate),
  er_pct: optional(rate),
  posts_per_week: optional(rate),
  mentions_30d: optional(count),
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
