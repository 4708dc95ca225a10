import * as fc from 'fast-check';

import { CATEGORIES } from '../../src/events/category-events.ts';
import { ENTRIES, publishedData } from '../../src/events/entry-events.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { METRICS } from '../../src/events/measurement-events.ts';
import { PROBES, TARGETS } from '../../src/events/monitor-events.ts';
import { exampleOf } from '../../src/platform/schema-field-texts.ts';
import type { JsonObject } from '../../src/platform/json-value.ts';
import {
  categoryDefined,
  categoryRemoved,
  measured,
  probed,
  published,
  targetDefined,
  targetRemoved,
  unpublished,
} from './events.ts';

/**
 * fast-check arbitraries of valid CloudEvents, made to collide: few subjects and few revisions, so that ties,
 * tombstones, duplicates and one revision with two contents are common, and several kinds under one slug.
 */

/** Where all generated time begins; measurements are spread over the 120 days after it. */
const START = Date.parse('2026-08-01T00:00:00Z');
const DAY_MS = 86_400_000;
const DAYS = 120;

const slug = fc.constantFrom('a', 'ai-news', 'constructor');
const revision = fc.integer({ min: 1, max: 4 });
const kind = fc.constantFrom('channel', 'bot', 'miniapp');
const category = fc.constantFrom('science', 'data-science', 'news', 'tostring');

/** One moment in two spellings: the digest knows the difference, the fold must not depend on it. */
const time = fc.constantFrom('2026-11-29T10:00:00Z', '2026-11-29T13:00:00+03:00', '2026-11-29T10:00:01.5Z');

/** Optional fields come as a value, as null, or not at all. */
function sometimes(fields: Record<string, fc.Arbitrary<JsonObject[string]>>): fc.Arbitrary<JsonObject> {
  const orNull = Object.entries(fields).map(([name, value]) => [name, fc.option(value)] as const);
  // A key that is left out is absent, never undefined.
  return fc.record(Object.fromEntries(orNull), { requiredKeys: [] }).map((given) => given as JsonObject);
}

/** A field that no schema knows: it is dropped, and part of the digest. */
const unknown = sometimes({ x_unknown: fc.nat({ max: 1 }) });

function both(...parts: readonly fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> {
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as JsonObject);
}

const title = fc.constantFrom<JsonObject>({ en: 'News' }, { ru: 'Новости' }, { en: 'Café', ru: 'Кафе' });

const subtype = fc.constantFrom('broadcast', 'group');

/** Every field that an entry may lack, with its example; what stands below it in an event goes before it. */
const optionalFields = Object.entries(publishedData.shape)
  .filter(([name, field]) => name !== 'subtype' && field.safeParse(null).success)
  .map(([name, field]) => [name, fc.constant(exampleOf(field) as JsonObject[string])] as const);

const publishedEvent = both(
  sometimes(Object.fromEntries(optionalFields)),
  fc.record({ subject: slug, revision, time, title, verified: fc.boolean() }),
  sometimes({ summary: title, category, language: fc.constantFrom('en', 'ru', 'pt-BR') }),
  fc.record({ flags: fc.subarray(['scam', 'fake', 'restricted', 'adult']) }),
  kind.chain((chosen) =>
    both(fc.constant({ kind: chosen }), chosen === 'channel' ? sometimes({ subtype }) : fc.constant({})),
  ),
  unknown,
).map(published);

const unpublishedEvent = both(
  fc.record({ subject: slug, revision, time }),
  sometimes({ reason: fc.constantFrom('gone', 'policy') }),
).map(unpublished);

const count = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 5_000_000 }), fc.constant(Number.MAX_SAFE_INTEGER));
const rate = fc.oneof(
  fc.nat({ max: 500 }).map((tenths) => tenths / 10),
  fc.nat({ max: 1_000_000 }),
);
const rating = fc.record({ value: fc.nat({ max: 50 }).map((tenths) => tenths / 10), count });

/** Few moments of a day, so that two measurements of one moment are common. */
const measuredAt = fc
  .record({ day: fc.nat({ max: DAYS - 1 }), hour: fc.constantFrom(0, 9, 23) })
  .map(({ day, hour }) => new Date(START + day * DAY_MS + hour * 3_600_000).toISOString());

const measuredEvent = both(
  fc.record({ subject: slug, measured_at: measuredAt }),
  fc.oneof(
    both(
      fc.record({ kind: fc.constant('channel'), subscribers: count }),
      sometimes({ avg_views: rate, avg_views_24h: rate, er_pct: rate, posts_per_week: rate }),
    ),
    both(
      fc.record({ kind: fc.constant('bot'), monthly_users: count }),
      sometimes({ commands_count: count, inline: fc.boolean(), rating }),
    ),
    both(
      fc.record({ kind: fc.constant('miniapp'), monthly_users: count }),
      sometimes({ platforms: fc.subarray(['ios', 'android', 'web']), rating }),
    ),
  ),
  sometimes({ mentions_30d: count }),
  unknown,
).map(measured);

const categoryDefinedEvent = both(
  fc.record({
    subject: category,
    revision,
    time,
    title: fc.constantFrom({ en: 'A', ru: 'А' }, { en: 'B', ru: 'Б' }),
  }),
  sometimes({ parent: category }),
  unknown,
).map(categoryDefined);

const categoryRemovedEvent = fc.record({ subject: category, revision, time }).map(categoryRemoved);

const target = fc.constantFrom('bot_api', 'web', 'constructor');

const targetDefinedEvent = both(
  fc.record({ subject: target, revision, time, critical: fc.boolean() }),
  unknown,
).map(targetDefined);

const targetRemovedEvent = fc.record({ subject: target, revision, time }).map(targetRemoved);

const probedEvent = fc
  .record({
    subject: target,
    vantage_point: fc.constantFrom('eu-1', 'us-1', 'ap-1'),
    // Few of them, in two hours: several vantage points tell of one round, in any order.
    round: fc.constantFrom(0, 1, 2, 59, 60, 61).map((minutes) => START / 60_000 + minutes),
    result: fc.constantFrom('ok', 'slow', 'fail'),
    latency: fc.nat({ max: 30_000 }),
    attempts: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ latency, ...probe }) => probed({ ...probe, latency_ms: probe.result === 'fail' ? null : latency }));

const BY_TOPIC: Readonly<Record<string, readonly fc.Arbitrary<CloudEvent>[]>> = {
  [ENTRIES]: [publishedEvent, publishedEvent, unpublishedEvent],
  [METRICS]: [measuredEvent],
  [CATEGORIES]: [categoryDefinedEvent, categoryDefinedEvent, categoryRemovedEvent],
  [TARGETS]: [targetDefinedEvent, targetRemovedEvent],
  [PROBES]: [probedEvent],
};

/** One valid event of one of these topics. */
export function arbitraryEvent(topics: readonly string[]): fc.Arbitrary<CloudEvent> {
  return fc.oneof(...topics.map((topic) => fc.oneof(...(BY_TOPIC[topic] ?? []))));
}

/** Valid events of these topics in any order, some of them more than once. */
export function arbitraryHistory(
  topics: readonly string[],
  { maxLength = 30 } = {},
): fc.Arbitrary<readonly CloudEvent[]> {
  return fc
    .array(fc.tuple(arbitraryEvent(topics), fc.constantFrom(1, 1, 1, 2)), { maxLength })
    .chain((told) => {
      const delivered = told.flatMap(([event, times]) => Array.from({ length: times }, () => event));
      return fc.shuffledSubarray(delivered, { minLength: delivered.length });
    });
}
