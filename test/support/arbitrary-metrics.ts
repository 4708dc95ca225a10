import * as fc from 'fast-check';

import type { Change, ChannelMetrics } from '../../projections/listings/document.ts';
import type { ShownMetrics } from '../../projections/listings/metrics.ts';

/** fast-check arbitraries of the metrics that readers see, and of what else a score depends on. */

const count = fc.oneof(
  fc.nat({ max: 100 }),
  fc.nat({ max: 2_000_000 }),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
);
const rate = fc.oneof(
  fc.nat({ max: 4_000 }).map((tenths) => tenths / 10),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 });

const change: fc.Arbitrary<Change> = fc.record({
  abs: fc.integer(),
  pct: optional(fc.integer({ min: -10_000, max: 10_000 }).map((hundredths) => hundredths / 100)),
});

/** Newest day last; only the days matter to a score. */
const history: fc.Arbitrary<ChannelMetrics['history']> = fc
  .uniqueArray(fc.integer({ min: 1, max: 28 }), { minLength: 1, maxLength: 5 })
  .map((days) =>
    days
      .toSorted((a, b) => a - b)
      .map((day) => ({ day: `2026-02-${String(day).padStart(2, '0')}`, value: 1 })),
  );

const shown = {
  measured_at: fc.constant('2026-02-28T10:00:00.000Z'),
  growth: fc.record({ d1: optional(change), d7: optional(change), d30: optional(change) }),
  history,
};
const mentions_30d = optional(fc.oneof(fc.nat({ max: 1_100 }), count));
const rating = optional(fc.record({ value: fc.double({ min: 0, max: 5, noNaN: true }), count }));

export const arbitraryShownMetrics: fc.Arbitrary<ShownMetrics> = fc.oneof(
  fc.record({
    kind: fc.constant('channel' as const),
    metrics: optional(
      fc.record({
        subscribers: count,
        avg_views: optional(rate),
        avg_views_24h: optional(rate),
        er_pct: optional(rate),
        posts_per_week: optional(rate),
        mentions_30d,
        err_pct: optional(rate),
        ...shown,
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('bot' as const),
    metrics: optional(
      fc.record({
        monthly_users: count,
        commands_count: optional(count),
        inline: optional(fc.boolean()),
        mentions_30d,
        rating,
        ...shown,
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('miniapp' as const),
    metrics: optional(
      fc.record({
        monthly_users: count,
        launch_url: fc.constant(null),
        platforms: fc.constant<string[]>(['ios']),
        mentions_30d,
        rating,
        ...shown,
      }),
    ),
  }),
);

export const arbitraryTrust = fc.record({
  verified: fc.boolean(),
  flags: fc.subarray(['adult', 'restricted', 'fake', 'scam']),
});
