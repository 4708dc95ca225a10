import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../src/events/decode.ts';
import { EVENT_TYPES } from '../../../src/events/types.ts';
import type { CloudEvent } from '../../../src/events/envelope.ts';
import type { CatalogEvent } from '../../../src/events/event.ts';
import type { LogRecord } from '../../../src/events/log/port.ts';
import { unixMs } from '../../../src/platform/instant.ts';
import { readCategories, readEntries } from '../../../src/sample/catalog.ts';
import {
  HISTORY_ROUNDS,
  historyProbes,
  sampleEvents,
  sampleProbes,
  sampleSize,
} from '../../../src/sample/sample.ts';
import { statusAfter } from '../../support/monitor.ts';

const END = '2026-11-20T10:00:00.000Z';
const DAY_MS = 86_400_000;

const TOPICS: Readonly<Record<string, string>> = {
  'catalog.category.defined.v1': 'catalog.categories',
  'catalog.entry.published.v1': 'catalog.entries',
  'catalog.entry.measured.v1': 'catalog.metrics',
  'monitor.target.defined.v1': 'monitor.targets',
  'monitor.probe.completed.v1': 'monitor.probes',
};

// Making a sample and decoding it is most of what these tests cost: what several of them look at is made once.
const events = [...sampleEvents({ end: END })];
const dayLater = [...sampleEvents({ end: '2026-11-21T10:00:00.000Z' })];
const otherSeed = [...sampleEvents({ end: END, seed: 2 })];
const published = ofType('catalog.entry.published.v1');
const measured = ofType('catalog.entry.measured.v1');
const probes = ofType('monitor.probe.completed.v1');

function ofType(type: string): readonly CloudEvent[] {
  return events.filter((event) => event.type === type);
}

function recordOf(event: CloudEvent): LogRecord {
  return {
    topic: TOPICS[event.type] ?? event.type,
    partition: 0,
    position: 0,
    timestamp: unixMs(END),
    key: event.subject,
    value: Buffer.from(JSON.stringify(event)),
    headers: { 'content-type': 'application/cloudevents+json' },
  };
}

const decode = createDecoder(EVENT_TYPES);
const { monitored, unfit } = sorted(events);

/** Those of the monitor, decoded, and all that are not valid or have fields that the schemas do not know. */
function sorted(told: readonly CloudEvent[]) {
  const into = { monitored: new Array<CatalogEvent>(), unfit: new Array<unknown>() };
  for (const event of told) {
    const result = decode(recordOf(event));
    if (result.outcome !== 'event' || result.unknownFields > 0) into.unfit.push({ event, result });
    else if (result.event.type.startsWith('monitor.')) into.monitored.push(result.event);
  }
  return into;
}

describe('the sample', () => {
  test('every event is valid, and the schemas know all its fields', () => {
    expect(unfit).toEqual([]);
  });

  test('has every category and entry of the data files once, and 40 measurements of each entry', () => {
    expect(ofType('catalog.category.defined.v1')).toHaveLength(35);
    expect(published).toHaveLength(1276);
    expect(new Set(published.map(({ subject }) => subject)).size).toBe(1276);
    expect(measured).toHaveLength(1276 * 40);
    expect(events).toHaveLength(sampleSize());
    // As docs/decisions/0013-sample.md says.
    expect(sampleSize()).toBe(78_274);
  });

  test('says the facts of the data files and no others', () => {
    const facts = published.map(({ subject, data }) => ({
      slug: subject,
      kind: data['kind'],
      ...('subtype' in data ? { subtype: data['subtype'] } : {}),
      username: data['username'],
      title: data['title'],
      language: data['language'],
      category: data['category'] ?? null,
    }));
    const expected = readEntries().map(({ title, ...entry }) =>
      Object.assign(entry, { title: { [entry.language]: title } }),
    );
    expect(facts).toEqual(expected);
    for (const { data } of published) {
      expect(data).toMatchObject({ revision: 1, flags: [], links: [], verified: false });
      expect(data).not.toHaveProperty('image_url');
    }
  });

  test('has texts in both languages, made of those facts, that say so themselves', () => {
    for (const { data } of published) {
      const { summary, description, tags } = data as Record<string, Record<'ru' | 'en', string>>;
      expect(tags).toEqual(['sample-text']);
      expect(summary?.ru).toMatch(
        /^(?:Публичный (?:канал|чат)|Бот|Мини-приложение) на (?:русском|английском) языке\./,
      );
      expect(summary?.en).toMatch(
        /^A (?:public channel|public group chat|bot|mini app) in (?:Russian|English)\./,
      );
      expect(description?.ru).toContain(`${summary?.ru}\n\nЭто пример: текст составлен автоматически`);
      expect(description?.en).toContain(`${summary?.en}\n\nThis is sample data: the text was made`);
    }
    const { summary } = published.find(({ subject }) => subject === 'a-cup-of-java')?.data ?? {};
    expect(summary).toEqual({
      ru: 'Публичный канал на русском языке. Раздел «Программирование».',
      en: 'A public channel in Russian. Filed under “Programming”.',
    });
  });

  test('has a page where there is one that anybody may read: of broadcast channels', () => {
    const pages = published.map(({ data }) => data['page_url'] ?? null);
    const expected = readEntries().map(({ subtype, username }) =>
      subtype === 'broadcast' ? `https://t.me/s/${username}` : null,
    );
    expect(pages).toEqual(expected);
  });

  test('defines every category that an entry or another category names', () => {
    const categories = readCategories();
    const defined = new Set(categories.map(({ slug }) => slug));
    const named = [
      ...categories.map(({ parent }) => parent),
      ...readEntries().map(({ category }) => category),
    ];
    expect(named.filter((slug) => slug !== null && !defined.has(slug))).toEqual([]);
  });

  test('tells generated metrics and probes from real facts by their source', () => {
    const sources = new Map(events.map(({ type, source }) => [type, source]));
    expect(Object.fromEntries(sources)).toEqual({
      'catalog.category.defined.v1': '/sample/catalog',
      'catalog.entry.published.v1': '/sample/catalog',
      'catalog.entry.measured.v1': '/sample/generated-metrics',
      'monitor.target.defined.v1': '/sample/generated-probes',
      'monitor.probe.completed.v1': '/sample/generated-probes',
    });
  });

  test('gives an id to one event only, whatever the end and the seed', () => {
    const all = [...events, ...dayLater, ...otherSeed];
    const firsts = new Map<string, CloudEvent>();
    const clashes = all.filter((event) => {
      const name = `${event.source} ${event.id}`;
      const first = firsts.get(name) ?? event;
      firsts.set(name, first);
      return first !== event && JSON.stringify(first) !== JSON.stringify(event);
    });
    expect(clashes).toEqual([]);
    expect(new Set(events.map(({ source, id }) => `${source} ${id}`)).size).toBe(events.length);
  });
});

describe('the generated history', () => {
  test('of each entry is daily for the last 31 days, weekly before, 90 days long, and ends at the end', () => {
    const ages = new Map<string, number[]>();
    for (const event of measured) {
      const age = (unixMs(END) - unixMs(measuredAt(event))) / DAY_MS;
      ages.set(event.subject, [...(ages.get(event.subject) ?? []), age]);
    }
    const daily = Array.from({ length: 31 }, (_, index) => 30 - index);
    const expected = [89, 82, 75, 68, 61, 54, 47, 40, 33, ...daily];
    expect(ages.size).toBe(1276);
    for (const each of ages.values()) expect(each).toEqual(expected);
  });

  test('has no measurement after the end', () => {
    expect(measured.filter((event) => measuredAt(event) > END)).toEqual([]);
  });

  test('has a few large audiences and many small ones, of which some grow and some shrink', () => {
    const newest = measured.filter((event) => measuredAt(event) === END).map(audienceOf);
    const monthBefore = measured
      .filter((event) => unixMs(measuredAt(event)) === unixMs(END) - 30 * DAY_MS)
      .map(audienceOf);
    const ascending = newest.toSorted((a, b) => a - b);
    expect(ascending[0]).toBeGreaterThanOrEqual(10);
    expect(ascending.at(-1)).toBeGreaterThan(100 * (ascending[638] ?? Infinity));
    const grown = newest.filter((audience, index) => audience > (monthBefore[index] ?? 0)).length;
    expect(grown / newest.length).toBeGreaterThan(0.5);
    expect(grown / newest.length).toBeLessThan(0.8);
  });

  test('is the same for the same end and seed, byte for byte', () => {
    const bytes = digest(events);
    expect(digest(sampleEvents({ end: END }))).toBe(bytes);
    expect(digest(otherSeed)).not.toBe(bytes);
    const laterBy1Ms = sampleEvents({ end: '2026-11-20T10:00:00.001Z' });
    expect(digest(laterBy1Ms.take(100))).not.toBe(digest(events.slice(0, 100)));
  });

  test('moves with its end and keeps its numbers', () => {
    const moved = sampleEvents({ end: '2027-01-01T00:00:00.000Z' })
      .filter(({ type }) => type === 'catalog.entry.measured.v1')
      .take(measured.length);
    expect(Array.from(moved, audienceOf)).toEqual(measured.map(audienceOf));
  });
});

describe('the generated probes', () => {
  test('are of three targets from three vantage points, one in every round of the last two days', () => {
    const last = Math.floor(unixMs(END) / 60_000) - 1;
    const names = probes.map(({ subject, data }) =>
      [subject, data['vantage_point'], data['round']].map(String).join('/'),
    );
    const expected = ['bot_api', 'client', 'web'].flatMap((target) =>
      ['ap', 'eu', 'us'].flatMap((point) =>
        Array.from({ length: 2880 }, (_, age) => `${target}/${point}/${last - age}`),
      ),
    );
    expect(names.toSorted()).toEqual(expected.toSorted());
    expect(probes.filter(({ time }) => time > END)).toEqual([]);
  });

  test('of a round are the same in every sample that has it', () => {
    const both = new Map(probes.map((event) => [event.id, event]));
    const shared = dayLater.filter(({ id }) => both.has(id));
    expect(shared).toHaveLength(1440 * 9);
    expect(shared).toEqual(shared.map(({ id }) => both.get(id)));
    expect([...sampleProbes({ first: 7, last: 7, seed: 2 })]).not.toEqual([
      ...sampleProbes({ first: 7, last: 7 }),
    ]);
  });

  test('show the platform as up, with a few incidents that are over', () => {
    const { state, incidents, latency_ms, components } = statusAfter(monitored, unixMs(END) + 15_000);
    expect(state).toBe('up');
    expect(components.map(({ id, critical }) => [id, critical])).toEqual([
      ['bot_api', true],
      ['client', true],
      ['web', false],
    ]);
    expect(incidents.length).toBeGreaterThanOrEqual(1);
    expect(incidents.length).toBeLessThanOrEqual(4);
    expect(incidents.every((incident) => incident.state === 'resolved')).toBe(true);
    const { p50, p95 } = latency_ms['24h'] ?? { p50: 0, p95: 0 };
    expect(p50).toBeGreaterThan(50);
    expect(p95).toBeGreaterThan(1.5 * Number(p50));
  });
});

describe('the probes of the older history', () => {
  const last = Math.floor(unixMs(END) / 60_000) - 1;
  const history = { first: last - HISTORY_ROUNDS + 1, last: last - 2880 };
  const older = [...historyProbes(history)];
  const decodedOlder = sorted(older);

  test('are some of the very probes that each round has', () => {
    const day = { first: history.last - 1439, last: history.last };
    const whole = new Map([...sampleProbes(day)].map((event) => [event.id, event]));
    const coarse = [...historyProbes(day)];
    expect(coarse).toEqual(coarse.map(({ id }) => whole.get(id)));
    expect(coarse.length).toBeLessThan(whole.size / 5);
  });

  test('are valid events, about 1,500 a day', () => {
    expect(older.length / 88).toBeGreaterThan(1440);
    expect(older.length / 88).toBeLessThan(1700);
    expect(decodedOlder.unfit).toEqual([]);
  });

  test('leave no gap in 90 days, and show faults that the last two days do not', () => {
    const { uptime, components, incidents, state } = statusAfter(
      [...monitored, ...decodedOlder.monitored],
      unixMs(END) + 15_000,
    );
    expect(state).toBe('up');
    expect(uptime['90d'].coverage).toBe(1);
    expect(uptime['30d'].coverage).toBe(1);
    for (const component of components) {
      const { pct, coverage } = component.uptime['90d'];
      expect(coverage).toBe(1);
      expect(pct).toBeGreaterThan(99);
      expect(pct).toBeLessThan(100);
    }
    expect(incidents).toHaveLength(10);
  });
});

function measuredAt({ data }: CloudEvent): string {
  const at = data['measured_at'];
  return typeof at === 'string' ? at : '';
}

function audienceOf({ data }: CloudEvent): number {
  return Number(data['subscribers'] ?? data['monthly_users']);
}

function digest(sample: Iterable<CloudEvent>): string {
  const hash = createHash('sha256');
  for (const event of sample) hash.update(JSON.stringify(event));
  return hash.digest('hex');
}
