import { describe, expect, test } from 'vitest';

import { listings } from '../../../../projections/listings/index.ts';
import { decoded, published, unpublished } from '../../../support/events.ts';
import { specify } from '../../../support/specification.ts';

const given = specify(listings);

const full = {
  revision: 7,
  kind: 'channel',
  subtype: 'broadcast',
  username: 'ai_news',
  title: { en: 'AI News', ru: 'Новости ИИ' },
  summary: { en: 'News about AI' },
  description: { en: 'Every morning' },
  category: 'data-science',
  tags: ['ml'],
  language: 'en',
  country: 'US',
  verified: true,
  flags: ['adult'],
  image_url: 'https://example.org/a.png',
  page_url: 'https://example.org/ai',
  open_url: 'tg://resolve?domain=ai_news',
  links: [{ rel: 'website', url: 'https://example.org' }],
  published_at: '2026-11-20T12:58:00+03:00',
};

test('an entry that is unpublished keeps nothing of its content but when it was taken back', () => {
  given(published(full))
    .when(unpublished({ revision: 8, reason: 'owner_request', time: '2026-11-21T00:00:00Z' }))
    .thenHolds(({ registers, view }) => {
      expect(registers.content).toEqual({
        at: 8,
        time: '2026-11-21T00:00:00.000Z',
        digest: expect.stringMatching(/^[0-9a-f]{32}$/),
        value: null,
      });
      expect(view).toEqual({ published: false });
    });
});

describe('two events that contradict each other', () => {
  const conflictsOf = (
    ...events: readonly [Parameters<typeof decoded>[0], Parameters<typeof decoded>[0]]
  ) => {
    const [a, b] = events.map((event) => listings.contribution(decoded(event)));
    return a && b ? listings.registers.conflicts(a, b) : null;
  };

  test('are counted where they name one revision and differ', () => {
    expect(conflictsOf(published({ revision: 7 }), published({ revision: 7, username: 'other' }))).toBe(1);
    expect(conflictsOf(published({ revision: 7 }), unpublished({ revision: 7 }))).toBe(1);
  });

  test('are no contradiction where one repeats the other or is older', () => {
    expect(conflictsOf(published({ revision: 7 }), published({ revision: 7 }))).toBe(0);
    expect(conflictsOf(published({ revision: 7 }), published({ revision: 6 }))).toBe(0);
  });
});
