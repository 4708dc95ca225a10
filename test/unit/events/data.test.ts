import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../src/events/decode.ts';
import { publishedData } from '../../../src/events/entry-events.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import type { CloudEvent } from '../../../src/events/envelope.ts';
import {
  categoryDefined,
  categoryRemoved,
  decoded,
  measured,
  probed,
  published,
  recordOf,
  targetDefined,
  targetRemoved,
  unpublished,
} from '../../support/events.ts';
import { rejectionOf, without } from '../../support/records.ts';
import { words } from '../../support/words.ts';

const COMPLETE: readonly (readonly [event: CloudEvent, required: readonly string[]])[] = [
  [
    published(),
    ['revision', 'kind', 'username', 'title', 'tags', 'verified', 'flags', 'links', 'published_at'],
  ],
  [unpublished(), ['revision']],
  [measured(), ['measured_at', 'kind', 'subscribers']],
  [measured({ kind: 'bot' }), ['measured_at', 'kind', 'monthly_users']],
  [measured({ kind: 'miniapp' }), ['measured_at', 'kind', 'monthly_users']],
  [categoryDefined(), ['revision', 'title']],
  [categoryRemoved(), ['revision']],
  [targetDefined(), ['revision', 'name', 'critical']],
  [targetRemoved(), ['revision']],
  [probed(), ['vantage_point', 'round', 'checked_at', 'result', 'attempts']],
];

const REQUIRED = COMPLETE.flatMap(([event, fields]) =>
  fields.map((field) => [event.type, field, event] as const),
);

test.each(REQUIRED)('%s is refused without %s, and with null for it', (_type, field, event) => {
  for (const [spoilt, got] of [
    [without(event, field), 'nothing'],
    [{ ...event, data: { ...event.data, [field]: null } }, 'null'],
  ] as const) {
    const { code, reason } = rejectionOf(recordOf(spoilt));
    expect(code).toBe('bad_data');
    expect(reason).toMatch(new RegExp(`^data\\.${field}: expected .+, got ${got}`));
  }
});

test.each([
  [published(), 'subtype summary description category language country image_url page_url open_url'],
  [unpublished(), 'reason'],
  [measured(), 'avg_views avg_views_24h er_pct posts_per_week mentions_30d'],
  [measured({ kind: 'bot' }), 'commands_count inline mentions_30d rating'],
  [measured({ kind: 'miniapp' }), 'launch_url platforms mentions_30d rating'],
  [categoryDefined(), 'parent'],
  [without(targetDefined(), 'slow_ms'), 'slow_ms'],
  [without(probed(), 'latency_ms'), 'latency_ms cause'],
])('an optional field may be absent or null, which is the same (%#)', (event, fields) => {
  for (const field of fields.split(' ')) {
    const spelt = { ...event, data: { ...event.data, [field]: null } };
    expect(decoded(spelt).data).toEqual(decoded(event).data);
    expect(decoded(event).data).toHaveProperty(field);
  }
});

test('a measurement without platforms has none, and a target without slow_ms is slow at 2,000', () => {
  expect(decoded(measured({ kind: 'miniapp' })).data).toMatchObject({ platforms: [] });
  expect(decoded(without(targetDefined(), 'slow_ms')).data).toMatchObject({ slow_ms: 2000 });
});

test('a published entry comes out with every field, in the order of the contract', () => {
  const told = published({
    title: { en: 'AI News', ru: 'Новости ИИ' },
    published_at: '2026-11-20T12:58:00+03:00',
  });
  const entered = { ...told.data, published_at: '2026-11-20T09:58:00.000Z' } as Readonly<
    Record<string, unknown>
  >;
  const { data } = decoded(told);
  expect(Object.entries(data as object)).toEqual(
    Object.keys(publishedData.shape).map((field) => [field, entered[field] ?? null]),
  );
  expect(JSON.stringify(data)).toContain('"title":{"ru":"Новости ИИ","en":"AI News"}');
});

describe('only for some', () => {
  test('a subtype is for channels', () => {
    expect(decoded(published({ subtype: 'group' })).data).toMatchObject({ subtype: 'group' });
    expect(rejectionOf(recordOf(published({ kind: 'bot', subtype: 'group' }))).reason).toBe(
      'data.subtype: expected nothing, unless the kind is channel, got "group"',
    );
  });

  test('a failed probe has no latency, and any probe may lack it', () => {
    expect(decoded(probed({ result: 'fail', latency_ms: null, cause: 'dns' })).data).toMatchObject({
      cause: 'dns',
    });
    expect(decoded(probed({ result: 'slow', latency_ms: null })).data).toMatchObject({ latency_ms: null });
    expect(rejectionOf(recordOf(probed({ result: 'fail' }))).reason).toMatch(
      /^data\.latency_ms: expected nothing/,
    );
  });

  test('a category is named in both languages', () => {
    const { reason } = rejectionOf(recordOf(categoryDefined({ title: { en: 'A' } })));
    expect(reason).toMatch(/^data\.title\.ru: .* got nothing$/);
  });

  test('a kind of measurement that nobody knows is named with what is accepted', () => {
    expect(rejectionOf(recordOf(measured({ kind: 'group' }))).reason).toBe(
      'data.kind: expected one of channel, bot, miniapp, got "group"',
    );
  });
});

describe('a probe and its round', () => {
  const round = Date.parse('2026-11-20T10:00:00Z') / 60_000;
  const time = '2026-11-20T10:00:00Z';

  test.each(['09:50:00Z', '10:00:59Z', '10:11:00Z'])('a check at %s belongs to the round of 10:00', (at) => {
    const checked_at = `2026-11-20T${at}`;
    // Told when it was over.
    expect(decoded(probed({ time: '2026-11-20T10:11:00Z', round, checked_at })).data).toMatchObject({
      round,
    });
  });

  test.each([
    [
      'a check',
      'checked_at',
      { time: '2026-11-20T10:03:00Z', round: round + 5, checked_at: '2026-11-20T10:05:01Z' },
    ],
    ['a round', 'round', { time, round: round + 3, checked_at: '2026-11-20T09:59:50Z' }],
  ])('%s more than two minutes after the arrival in the log is refused', (_, field, told) => {
    expect(rejectionOf(recordOf(probed(told)))).toMatchObject({
      code: 'from_the_future',
      reason: expect.stringMatching(
        new RegExp(`^data\\.${field}: expected at most 2 minutes after the record arrived in the log, got`),
      ),
    });
    const arrivedLater = { timestamp: Date.parse('2026-11-20T10:03:01Z') };
    expect(createDecoder(EVENT_TYPES)(recordOf(probed(told), arrivedLater)).outcome).toBe('event');
  });

  test.each(['09:49:59.999Z', '10:11:00.001Z'])('a check at %s is too far from the round of 10:00', (at) => {
    const { code, reason } = rejectionOf(recordOf(probed({ time, round, checked_at: `2026-11-20T${at}` })));
    expect(code).toBe('bad_data');
    expect(reason).toMatch(/^data\.checked_at: expected an instant within 10 minutes of its round/);
  });

  test('a probe checked more than a day after its event is refused', () => {
    expect(rejectionOf(recordOf(probed({ time: '2026-11-19T09:00:00Z', round }))).code).toBe(
      'from_the_future',
    );
  });
});

describe('subjects', () => {
  test.each([
    ...words('AI-news -ai ai- a_b'),
    'a b',
    'новости',
    'a'.repeat(129),
    'a'.repeat(500),
    'a/b',
    'ai\u0000',
  ])('an entry is refused under %j: it is not a canonical slug', (subject) => {
    expect(rejectionOf(recordOf(published({ subject })))).toMatchObject({ code: 'bad_envelope' });
  });

  test.each(['a', '0', 'a'.repeat(128), 'a--b', 'constructor'])('an entry may stand under %s', (subject) => {
    expect(decoded(published({ subject })).subject).toBe(subject);
  });

  test('a category has at most 64 characters', () => {
    expect(decoded(categoryDefined({ subject: 'a'.repeat(64) })).subject).toHaveLength(64);
    expect(rejectionOf(recordOf(categoryDefined({ subject: 'a'.repeat(65) }))).reason).toMatch(
      /^subject: expected a category slug/,
    );
  });

  test('a monitor target may have underscores', () => {
    expect(decoded(targetDefined({ subject: 'bot_api' })).subject).toBe('bot_api');
    expect(rejectionOf(recordOf(targetDefined({ subject: '_bot' }))).code).toBe('bad_envelope');
  });
});
