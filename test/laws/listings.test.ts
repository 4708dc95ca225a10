import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ListingView } from '../../projections/listings/document.ts';
import type { ListingEvent } from '../../projections/listings/event-to-registers.ts';
import { listings } from '../../projections/listings/index.ts';
import { arbitraryHistory } from '../support/arbitrary-events.ts';
import { decoded, measured, published } from '../support/events.ts';
import { byDocument, fold, LAW_CASES } from '../support/laws.ts';
import { naiveListing } from '../support/naive-listing.ts';

/** Any events of entries. */
const anyHistory = arbitraryHistory(listings.topics).map((history) => history.map(decoded));

/** A channel that was measured on many days, those around the edges of growth and history above all. */
const dayBack = fc.oneof(
  fc.nat({ max: 100 }),
  fc.constantFrom(0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 13, 14, 15, 29, 30, 31, 32, 33, 88, 89, 90, 91),
);
const measurement = fc.record({
  back: dayBack,
  subscribers: fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 2_000_000 })),
  avg_views: fc.option(fc.nat({ max: 500_000 }).map((tenths) => tenths / 10)),
  posts_per_week: fc.option(fc.nat({ max: 300 }).map((tenths) => tenths / 10)),
});
const longHistory = fc.array(measurement, { minLength: 1, maxLength: 40 }).map((measurements) =>
  [
    published(),
    ...measurements.map(({ back, ...counts }) => {
      const measured_at = new Date(Date.UTC(2026, 5, 30, 12) - back * 86_400_000).toISOString();
      return measured({ measured_at, ...counts });
    }),
  ].map(decoded),
);

const histories = fc.oneof(anyHistory, longHistory);

/** Tries a rule on the listing of every slug in generated events. */
function everyListing(rule: (view: ListingView, events: readonly ListingEvent[]) => void): void {
  fc.assert(
    fc.property(histories, (history) => {
      for (const [slug, events] of byDocument(listings, history)) {
        const registers = fold(listings, events) as Parameters<typeof listings.view>[1];
        rule(listings.view(slug, registers), events as readonly ListingEvent[]);
      }
    }),
    { numRuns: LAW_CASES },
  );
}

describe('every listing', () => {
  test('is what sorting all of its events and looking back day by day gives', () => {
    everyListing((view, events) => {
      expect(view).toEqual(naiveListing(events));
    });
  });

  test('has a score from 0 to 100, whose parts, weights and points add up, or no part at all', () => {
    everyListing((view) => {
      const { value, breakdown } = view.published ? view.score : { value: 0, breakdown: [] };
      const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
      for (const one of [value, ...breakdown.map((part) => part.value)]) {
        expect(one).toBeGreaterThanOrEqual(0);
        expect(one).toBeLessThanOrEqual(100);
      }
      expect(Math.abs(sumOf(breakdown.map(({ points }) => points)) - value)).toBeLessThanOrEqual(0.1);
      const weights = sumOf(breakdown.map(({ weight }) => weight));
      expect(Math.abs(weights - Number(breakdown.length > 0))).toBeLessThanOrEqual(0.0005);
    });
  });
});
