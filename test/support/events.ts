import type { CloudEvent } from '../../src/events/envelope.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import { createDecoder } from '../../src/events/decode.ts';
import { EVENT_TYPES, structuredRecord } from '../../src/events/event-types.ts';
import type { LogRecord } from '../../src/events/log/port.ts';
import { sha256 } from '../../src/platform/canonical.ts';
import type { JsonObject } from '../../src/platform/json-value.ts';

/** Builders of valid CloudEvents, as upstream would write them. Every field of `data` can be given. */

export interface Told extends JsonObject {
  readonly subject?: string;
  /** RFC 3339; carried, and decides nothing. */
  readonly time?: string;
}

const TIME = '2026-11-20T10:00:00Z';

export function published(told: Told = {}): CloudEvent {
  return build('catalog.entry.published.v1', 'ai-news', told, {
    revision: 1,
    kind: 'channel',
    username: 'ai_news',
    title: { en: 'AI News', ru: 'Новости ИИ' },
    tags: [],
    verified: false,
    flags: [],
    links: [],
    published_at: '2026-11-20T09:58:00Z',
  });
}

export function unpublished(told: Told = {}): CloudEvent {
  return build('catalog.entry.unpublished.v1', 'ai-news', told, { revision: 2 });
}

/** What is counted follows from `kind`: 1,000 subscribers, or 1,000 users a month. */
export function measured(told: Told = {}): CloudEvent {
  const { kind = 'channel', measured_at = '2026-11-20T09:00:00Z' } = told;
  const audience = kind === 'channel' ? { subscribers: 1000 } : { monthly_users: 1000 };
  return build('catalog.entry.measured.v1', 'ai-news', told, {
    kind,
    measured_at,
    ...audience,
    // Nothing may be observed long after the event: it is told as soon as it is measured.
    ...(told.time === undefined && typeof measured_at === 'string' ? { time: measured_at } : {}),
  });
}

export function categoryDefined(told: Told = {}): CloudEvent {
  return build('catalog.category.defined.v1', 'data-science', told, {
    revision: 1,
    title: { en: 'Data science', ru: 'Наука о данных' },
  });
}

export function categoryRemoved(told: Told = {}): CloudEvent {
  return build('catalog.category.removed.v1', 'data-science', told, { revision: 2 });
}

export function targetDefined(told: Told = {}): CloudEvent {
  return build('monitor.target.defined.v1', 'bot_api', told, {
    revision: 1,
    name: { en: 'Bot API', ru: 'Bot API' },
    critical: true,
    slow_ms: 2000,
  });
}

export function targetRemoved(told: Told = {}): CloudEvent {
  return build('monitor.target.removed.v1', 'bot_api', told, { revision: 2 });
}

/** A probe whose `checked_at`, unless it is given, is ten seconds into its round. */
export function probed(told: Told = {}): CloudEvent {
  const { round = Date.parse(TIME) / 60_000 } = told;
  const checked_at = new Date(Number(round) * 60_000 + 10_000).toISOString();
  return build('monitor.probe.completed.v1', 'bot_api', told, {
    vantage_point: 'eu-1',
    round,
    checked_at,
    result: 'ok',
    latency_ms: 120,
    attempts: 1,
    ...(told.time === undefined ? { time: checked_at } : {}),
  });
}

function build(type: string, about: string, told: Told, fields: JsonObject): CloudEvent {
  const { subject = about, time = TIME, ...data } = { ...fields, ...told };
  const event = { specversion: '1.0', source: '/catalog/editor', type, subject, time, data } as const;
  // Another content is another event; the same content twice is a redelivery.
  return { ...event, id: sha256(JSON.stringify(event)) };
}

/** The event as a record in the structured mode, as if it had just arrived. */
export function recordOf(event: CloudEvent, place: Partial<LogRecord> = {}): LogRecord {
  return {
    ...structuredRecord(event),
    partition: 0,
    position: 0,
    timestamp: Date.parse(event.time),
    ...place,
  };
}

const decode = createDecoder(EVENT_TYPES);

/** The event as a projection gets it. Throws where decoding refuses it. */
export function decoded(event: CloudEvent): CatalogEvent {
  const result = decode(recordOf(event));
  if (result.outcome === 'event') return result.event;
  throw new Error(result.outcome === 'rejected' ? result.rejection.reason : `skipped: ${result.reason}`);
}
