import { describe, expect, test } from 'vitest';

import type { PublishedView } from '../../../../projections/listings/document.ts';
import { listings } from '../../../../projections/listings/index.ts';
import { measured, published } from '../../../support/events.ts';
import { specify } from '../../../support/specification.ts';

const given = specify(listings);

/** A channel's subscribers at noon of a day. */
const on = (day: string, subscribers: number) => measured({ measured_at: `${day}T12:00:00Z`, subscribers });

describe('the metrics of an entry', () => {
  test('are those of the kind that is published; those of other kinds wait for theirs', () => {
    const both = [measured({ subscribers: 5 }), measured({ kind: 'bot', monthly_users: 70 })];
    given(published({ kind: 'channel' }), both).thenShows({ audience: { value: 5, unit: 'subscribers' } });
    given(published({ kind: 'bot' }), both).thenShows({ audience: { value: 70, unit: 'monthly_users' } });
    given(published({ kind: 'miniapp' }), both).thenShows({
      audience: null,
      metrics: null,
      score: { value: 0 },
    });
  });

  test('of a bot and of a mini app hold what was received, null for what was not, and no platforms as []', () => {
    given(published({ kind: 'bot' }), measured({ kind: 'bot', rating: { value: 4.5, count: 10 } })).thenHolds(
      ({ view }) =>
        expect((view as PublishedView).metrics).toEqual({
          measured_at: '2026-11-20T09:00:00.000Z',
          monthly_users: 1000,
          commands_count: null,
          inline: null,
          mentions_30d: null,
          rating: { value: 4.5, count: 10 },
          growth: { d1: null, d7: null, d30: null },
          history: [{ day: '2026-11-20', value: 1000 }],
        }),
    );
    given(published({ kind: 'miniapp' }), measured({ kind: 'miniapp' })).thenShows({
      metrics: { platforms: [], launch_url: null, rating: null },
    });
  });

  test('move updated_at where they are newer than the content, and only there', () => {
    const content = published({ time: '2026-11-10T00:00:00Z' });
    given(content, on('2026-11-12', 1)).thenShows({ updated_at: '2026-11-12T12:00:00.000Z' });
    given(content, on('2026-11-09', 1)).thenShows({ updated_at: '2026-11-10T00:00:00.000Z' });
    given(content, measured({ kind: 'bot' })).thenShows({ updated_at: '2026-11-10T00:00:00.000Z' });
  });
});

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
