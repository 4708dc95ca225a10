import { describe, expect, test } from 'vitest';

import { listings } from '../../../../projections/listings/index.ts';
import { measured, published } from '../../../support/events.ts';
import { specify } from '../../../support/specification.ts';

const given = specify(listings);

/** A channel's subscribers at noon of a day. */
const on = (day: string, subscribers: number) => measured({ measured_at: `${day}T12:00:00Z`, subscribers });

describe('the history', () => {
  test('is not cut by the fold: what is too old to be shown is kept until a sweep', () => {
    given(published(), on('2026-04-01', 1), on('2020-01-01', 3)).thenHolds(({ registers }) => {
      expect(Object.keys(registers.audience['channel'] ?? {}).sort()).toEqual(['2020-01-01', '2026-04-01']);
      const swept = listings.trim(registers);
      expect(Object.keys(swept.audience['channel'] ?? {})).toEqual(['2026-04-01']);
    });
  });

  test('of one kind is swept by the newest day of that kind', () => {
    const ofBot = measured({ kind: 'bot', measured_at: '2020-01-01T00:00:00Z' });
    given(on('2026-04-01', 1), ofBot).thenHolds(({ registers }) => {
      expect(listings.trim(registers)).toBe(registers);
    });
  });
});
