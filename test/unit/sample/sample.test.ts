import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { CloudEvent } from '../../../src/events/envelope.ts';
import { unixMs } from '../../../src/platform/time/instant.ts';
import { readCategories, readEntries } from '../../../src/sample/catalog.ts';
import { sampleEvents } from '../../../src/sample/sample.ts';
import { DAY_LATER, END, sorted } from '../../support/sample-events.ts';

const DAY_MS = 86_400_000;

// Making a sample is most of what these tests cost: what several of them look at is made once.
const events = [...sampleEvents(END)];
const dayLater = [...sampleEvents(DAY_LATER)];
const published = ofType('catalog.entry.published.v1');
const measured = ofType('catalog.entry.measured.v1');

function ofType(type: string): readonly CloudEvent[] {
  return events.filter((event) => event.type === type);
}

describe('the sample', () => {
  test('events are valid, and the schemas know all their fields', () => {
    // Every category and entry, and of what is generated for each of them every fiftieth.
    const some = events.filter(({ type }, at) => !/measured|probe/.test(type) || at % 50 === 0);
    expect(some.length).toBeGreaterThan(2300);
    expect(sorted(some).unfit).toEqual([]);
  });

  test('has every category and entry of the data files once, and 40 measurements of each entry', () => {
    expect(ofType('catalog.category.defined.v1')).toHaveLength(35);
    expect(published).toHaveLength(1276);
    expect(new Set(published.map(({ subject }) => subject)).size).toBe(1276);
    expect(measured).toHaveLength(1276 * 40);
    // As docs/design/tests.md says.
    expect(events).toHaveLength(53_434);
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
      expect(data).toMatchObject({
        revision: 1,
        flags: ['generated_text', 'generated_metrics'],
        links: [],
        verified: false,
      });
      expect(data).not.toHaveProperty('image_url');
    }
  });

  test('has texts in both languages, made of those facts, that say so themselves', () => {
    for (const { data } of published) {
      const { summary, description } = data as Record<string, Record<'ru' | 'en', string>>;
      expect(summary?.ru).toMatch(
        /^(?:Публичный (?:канал|чат)|Бот|Мини-приложение) на (?:русском|английском) языке\./,
      );
      expect(summary?.en).toMatch(
        /^A (?:public channel|public group chat|bot|mini app) in (?:Russian|English)\./,
      );
      expect(description?.ru).toContain(`${summary?.ru}\n\nЭто пример: текст составлен автоматически`);
      expect(description?.en).toContain(`${summary?.en}\n\nThis is sample data: the text was made`);
    }
    const { summary, tags } = published.find(({ subject }) => subject === 'a-cup-of-java')?.data ?? {};
    expect(tags).toEqual(['программирование', 'programming']);
    expect(summary).toEqual({
      ru: 'Публичный канал на русском языке. Раздел «Программирование».',
      en: 'A public channel in Russian. Filed under “Programming”.',
    });
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

  test('gives an id to one event only, whatever the end', () => {
    const all = [...events, ...dayLater];
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

  test('is the same for the same end, byte for byte', () => {
    const every = (_: CloudEvent, at: number): boolean => at % 10 === 0;
    expect(digest(sampleEvents(END).filter(every))).toBe(digest(events.filter(every)));
    const laterBy1Ms = sampleEvents('2026-11-20T10:00:00.001Z');
    expect(digest(laterBy1Ms.take(100))).not.toBe(digest(events.slice(0, 100)));
  });
});

function measuredAt({ data }: CloudEvent): string {
  const at = data['measured_at'];
  return typeof at === 'string' ? at : '';
}

function digest(sample: Iterable<CloudEvent>): string {
  const hash = createHash('sha256');
  for (const event of sample) hash.update(JSON.stringify(event));
  return hash.digest('hex');
}
