import { z } from 'zod';

import type { CatalogEvent } from './event.ts';
import type { EventType } from './event-type.ts';
import {
  count,
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

const channel = object({
  measured_at: instant,
  kind: z.literal('channel'),
  subscribers: count,
  avg_views: optional(rate),
  avg_views_24h: optional(rate),
  er_pct: optional(rate),
  posts_per_week: optional(rate),
  mentions_30d: optional(count),
});

const bot = object({
  measured_at: instant,
  kind: z.literal('bot'),
  monthly_users: count,
  commands_count: optional(count),
  inline: optional(flag),
  mentions_30d: optional(count),
  rating: optional(rating),
});

const miniapp = object({
  measured_at: instant,
  kind: z.literal('miniapp'),
  monthly_users: count,
  launch_url: optional(httpsUrl),
  platforms: list(text(50))
    .nullish()
    .transform((given) => given ?? []),
  mentions_30d: optional(count),
  rating: optional(rating),
});

export const measuredData = z.discriminatedUnion('kind', [channel, bot, miniapp], {
  error: ({ path }) => (path?.at(-1) === 'kind' ? `one of ${KINDS.join(', ')}` : 'an object'),
});
export type MeasuredData = z.infer<typeof measuredData>;

export type EntryMeasured = CatalogEvent<'catalog.entry.measured', MeasuredData>;
export type MetricsEvent = EntryMeasured;

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
