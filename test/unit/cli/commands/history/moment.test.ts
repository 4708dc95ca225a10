import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { categories } from '../../../../../projections/categories/index.ts';
import type { ListingEvent } from '../../../../../projections/listings/event-to-registers.ts';
import { listings } from '../../../../../projections/listings/index.ts';
import type { Locale } from '../../../../../src/texts/texts.ts';
import { buildTaxonomy } from '../../../../../src/api/reading/build-taxonomy.ts';
import { presentListing } from '../../../../../src/api/routes/present-entry.ts';
import type { CategoryEvent } from '../../../../../src/events/category-events.ts';
import type { CloudEvent } from '../../../../../src/events/envelope.ts';
import { ORIGINAL_TIME } from '../../../../../src/events/original-time.ts';
import { structuredRecord } from '../../../../../src/events/event-types.ts';
import { momentOf } from '../../../../../src/operations/history/state-at-moment.ts';
import { openPast } from '../../../../../src/projecting/inspect/read-model-events.ts';
import { BUILDS } from '../../../../../src/stores/builds.ts';
import { claimVersion } from '../../../../../src/stores/claim-version.ts';
import { changeAlias } from '../../../../../src/stores/aliases.ts';
import { runApi } from '../../../../support/api.ts';
import { arbitraryHistory } from '../../../../support/arbitrary-events.ts';
import { categoryDefined, decoded, measured, published, unpublished } from '../../../../support/events.ts';
import { naiveListing } from '../../../../support/naive-listing.ts';
import { openPastStage, type PastStage } from '../../../../support/past-stage.ts';
import { seeded } from '../../../../support/histories.ts';
import { sizeOf } from '../../../../support/sizes.ts';
import { putDocument } from '../../../../support/documents.ts';

/** `history --at`: what readers saw. */

const TOPICS = [...listings.topics, ...categories.topics];
const SLUGS = ['a', 'ai-news', 'constructor', 'never'];
/** After everything that is generated was observed. */
const BEGIN = Date.parse('2027-01-01T00:00:00Z');

async function seen({ parts }: PastStage, slug: string | null, at: number, locale: Locale = 'ru') {
  const reading = { ...parts, signal: new AbortController().signal };
  const pasts = {
    listings: await openPast(listings, reading),
    categories: await openPast(categories, reading),
  };
  const { status, body } = await momentOf(parts, pasts, { slug, at, locale });
  return { status, body: JSON.parse(JSON.stringify(body)) as unknown };
}

test('at any moment it is what the API had answered then, when a history was played to it', async () => {
  await using api = await runApi();
  await using stage = await openPastStage();
  const random = seeded(7);
  const pick = (below: number): number => Math.floor(random() * below);
  const events = fc.sample(arbitraryHistory(TOPICS), { numRuns: 18, seed: 5 }).flat();
  const tops: { at: number; locale: Locale; body: unknown }[] = [];
  const recorded: { slug: string; at: number; locale: Locale; status: number; body: unknown }[] = [];
  let now = BEGIN;
  let left = [...revised(events), unpublished({ subject: 'a', revision: 99 })];
  while (left.length > 0) {
    const some = left.slice(0, 1 + pick(6));
    left = left.slice(some.length);
    for (const event of some) await stage.append((now += 1 + pick(3_600_000)), event);
    await api.fold(...some);
    api.clock.movedMs += 60_000;
    // Any moment until the next event comes.
    const at = now + pick(3_600_000);
    now = at + 1;
    const inLocale = pick(2) === 0 ? 'ru' : 'en';
    tops.push({ at, locale: inLocale, body: (await api.get(`/top?locale=${inLocale}`)).body });
    for (const slug of SLUGS) {
      const locale = pick(2) === 0 ? 'ru' : 'en';
      const { status, body } = await api.get(`/listings/${slug}?locale=${locale}`);
      recorded.push({ slug, at, locale, status, body });
    }
  }
  await stage.append(now);
  expect(new Set(recorded.map(({ at }) => at)).size).toBeGreaterThan(20);
  expect(new Set(recorded.map(({ body }) => JSON.stringify(body))).size).toBeGreaterThan(12);
  for (const { slug, at, locale, ...answered } of recorded) {
    expect(await seen(stage, slug, at, locale), `${slug} at ${at}`).toEqual(answered);
  }
  expect(new Set(tops.map(({ body }) => JSON.stringify(body))).size).toBeGreaterThan(5);
  for (const { at, locale, body } of tops)
    expect(await seen(stage, null, at, locale), `at ${at}`).toEqual({ status: 200, body });
}, 600_000);

/** Later events have higher revisions, most of the time, so that there is something to see until the end. */
function revised(events: readonly CloudEvent[]): readonly CloudEvent[] {
  return events.map((event, index) => {
    const { revision } = event.data as { revision?: number };
    if (revision === undefined) return event;
    const data = { ...(event.data as object), revision: revision + Math.floor(index / 8) };
    return { ...event, data };
  });
}

test('an answer of any moment equals an independent fold of what had come by then', async () => {
  const timed = arbitraryHistory(TOPICS, { maxLength: 25 });
  const moments = fc.array(fc.nat({ max: 30 }), { minLength: 3, maxLength: 3 });
  const locale = fc.constantFrom<Locale>('ru', 'en');
  await fc.assert(
    fc.asyncProperty(timed, moments, locale, async (events, ats, inLocale) => {
      await using stage = await openPastStage();
      for (const [index, event] of events.entries()) await stage.append(BEGIN + index, event);
      await stage.append(BEGIN, published({ subject: 'other' }));
      await stage.append(BEGIN + 100);
      for (const after of ats) {
        const then = events.slice(0, after + 1).map(decoded);
        for (const slug of SLUGS) {
          const own = then.filter(
            ({ type, subject }) => subject === slug && type.startsWith('catalog.entry.'),
          );
          const view = naiveListing(own as readonly ListingEvent[]);
          const { status, body } = await seen(stage, slug, BEGIN + after, inLocale);
          expect(status).toBe(view.published ? 200 : 404);
          if (!view.published) continue;
          const taxonomy = buildTaxonomy(naiveCategories(then as readonly CategoryEvent[]));
          const expected = presentListing({ id: slug, version: '', view }, inLocale, taxonomy);
          expect(body).toEqual(JSON.parse(JSON.stringify(expected)));
        }
      }
    }),
    { numRuns: sizeOf('PAST_RUNS') },
  );
}, 600_000);

/** The last word on each category, by sorting. */
function naiveCategories(events: readonly CategoryEvent[]) {
  const rank = (event: CategoryEvent): readonly [number, number, string] => {
    return [event.data.revision, event.type === 'catalog.category.removed' ? 1 : 0, event.digest];
  };
  const sorted = events
    .filter(({ type }) => type.startsWith('catalog.category.'))
    .toSorted((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      return x[0] - y[0] || x[1] - y[1] || (x[2] < y[2] ? -1 : 1);
    });
  return [...new Map(sorted.map((event) => [event.subject, event])).values()].map((event) => {
    if (event.type === 'catalog.category.removed')
      return { slug: event.subject, view: { defined: false as const } };
    const { parent, title } = event.data;
    return { slug: event.subject, view: { defined: true as const, parent, title } };
  });
}

describe('the command', () => {
  const at = (time: string, ...more: readonly string[]) => ['ai-news', '--at', `2026-01-${time}`, ...more];

  async function played(): Promise<PastStage> {
    const stage = await openPastStage();
    await stage.append('2026-01-01T00:00:00Z', categoryDefined({ time: '2026-01-01T00:00:00Z' }));
    await stage.append('2026-01-02T00:00:00Z', published({ category: 'data-science' }));
    await stage.append('2026-01-03T00:00:00Z', measured({ measured_at: '2026-01-03T00:00:00Z' }));
    await stage.append(
      '2026-01-04T00:00:00Z',
      categoryDefined({ revision: 2, title: { en: 'Data', ru: 'Данные' } }),
    );
    await stage.append('2026-01-05T00:00:00Z', unpublished());
    return stage;
  }

  test('prints the body of the API, with the titles that categories had then', async () => {
    await using stage = await played();
    const before = await stage.history(...at('03T12:00:00Z', '--locale', 'en'));
    expect(before.code).toBe(0);
    expect(JSON.parse(before.stdout)).toMatchObject({
      slug: 'ai-news',
      category: { slug: 'data-science', title: 'Data science' },
      metrics: { subscribers: 1000 },
    });
    expect(before.stderr).toMatch(/^ai-news at 2026-01-03T12:00:00\.000Z: 200\. Made by the folds listings@/);
    const after = await stage.history(...at('04T12:00:00Z', '--locale', 'en'));
    expect(JSON.parse(after.stdout)).toMatchObject({ category: { title: 'Data' } });
  });

  test('with --top prints which entries led then', async () => {
    await using stage = await played();
    const top = async (time: string) => {
      const { code, stdout, stderr } = await stage.history('--top', ...at(time, '--locale', 'en').slice(1));
      return { code, stderr, body: JSON.parse(stdout) as { total: number; items: readonly object[] } };
    };
    const led = await top('03T12:00:00Z');
    expect(led.code).toBe(0);
    expect(led.body).toMatchObject({ total: 1, limit: 20 });
    expect(led.body.items).toMatchObject([{ rank: 1, slug: 'ai-news', category: { title: 'Data science' } }]);
    expect(led.stderr).toMatch(/^The top at 2026-01-03T12:00:00\.000Z\. Made by the folds listings@/);
    expect((await top('05T12:00:00Z')).body).toMatchObject({ total: 0, items: [] });
  });

  test.each([[['--top']], [['--top', 'ai-news', '--at', '1h']]])(
    'refuses %j: a top is that of a moment, and of all entries',
    async (args) => {
      await using stage = await openPastStage();
      const { code, stderr } = await stage.history(...args);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('--top is about all entries at one moment: give it --at alone.'),
      ]);
    },
  );

  test('prints the 404 of the API where readers saw none', async () => {
    await using stage = await played();
    for (const time of ['01T12:00:00Z', '05T00:00:00Z']) {
      const { code, stdout } = await stage.history(...at(time));
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  test('names the builds that were live then', async () => {
    await using stage = await played();
    const { documents } = stage.parts;
    const claim = { name: 'listings', version: 1, collection: 'listings@1', fold: 'test' };
    await claimVersion(documents, claim);
    const switches = [
      { build: 'listings@1-b2', before: 'listings@1', at: Date.parse('2026-01-04T00:00:00Z') },
    ];
    await changeAlias(documents, 'listings', (alias) => alias && { ...alias, switches });
    const after = await stage.history(...at('04T12:00:00Z'));
    expect(after.stderr).toContain('Live then, of listings: listings@1-b2.\n');
    const before = await stage.history(...at('03T12:00:00Z'));
    expect(before.stderr).toContain('Live then, of listings: listings@1.\n');
    await documents.declare(BUILDS);
    const body = { targets: {}, began_at: Date.parse('2026-02-01T00:00:00Z'), completed_at: null };
    await putDocument(documents, BUILDS.name, 'listings@1-b2', body);
    // Begun later only: readers saw nothing of it.
    const begun = await stage.history(...at('04T12:00:00Z'));
    expect(begun.stderr).toContain('Live then, of listings: not known.\n');
  });

  test('with --json says the status, what was live and which folds made it, beside the body', async () => {
    await using stage = await played();
    const { stdout } = await stage.history(...at('03T12:00:00Z', '--json'));
    expect(JSON.parse(stdout)).toEqual({
      slug: 'ai-news',
      at: '2026-01-03T12:00:00.000Z',
      status: 200,
      body: expect.objectContaining({ slug: 'ai-news' }),
      live: ['listings', 'categories'].map((read_model) => ({ read_model, build: null })),
      folds: [`listings@${listings.version}`, `categories@${categories.version}`],
      left_out: 0,
      cut: [],
      unreadable: [],
    });
  });

  test.each([
    ['2025-12-31T00:00:00Z', 'between 2026-01-01T00:00:00.000Z (the log begins then) and now, '],
    ['9999-01-01T00:00:00Z', 'between 2026-01-01T00:00:00.000Z (the log begins then) and now, '],
    ['yesterday', 'Expected how long ago (30m, 12h, 7d), or an RFC 3339 date-time'],
    ['2026-02-30T00:00:00Z', 'Expected how long ago'],
  ])('refuses the time %s, and says what it may be', async (time, explained) => {
    await using stage = await played();
    const { code, stdout, stderr } = await stage.history('ai-news', '--at', time);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(explained);
    expect(stderr).toMatch(/^catalog: .+\n$/);
  });

  test('counts an event that was restored from an archive from when it first came into a log', async () => {
    await using stage = await openPastStage();
    const first = String(Date.parse('2026-01-02T00:00:00Z'));
    const restored = structuredRecord(published({ time: '2026-01-02T00:00:00Z' }));
    await stage.append('2026-02-01T00:00:00Z', {
      ...restored,
      headers: { ...restored.headers, [ORIGINAL_TIME]: first },
    });
    const { code, stdout } = await stage.history(...at('02T00:00:00Z', '--json'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 200 });
  });

  test('says what a cut log no longer holds, and refuses what lies before that', async () => {
    await using stage = await played();
    const [place] = await stage.append('2026-01-06T00:00:00Z', published({ revision: 3 }));
    const { topic = '', partition = 0, position = 0 } = place ?? {};
    stage.cut(topic, partition, position);
    const told = await stage.history(...at('07T00:00:00Z'));
    expect(told.code).toBe(0);
    expect(told.stderr).toContain(
      `The log no longer holds its beginning: ${topic}/${partition} begins at position ${position} (2026-01-06T00:00:00.000Z).`,
    );
    const refused = await stage.history(...at('05T00:00:00Z'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('2026-01-06T00:00:00.000Z (the log no longer holds what came before)');
  });

  test('says that a log without events holds none', async () => {
    await using stage = await openPastStage();
    const { code, stderr } = await stage.history(...at('07T00:00:00Z'));
    expect([code, stderr]).toEqual([1, 'catalog: The log holds no events to answer from.\n']);
  });
});
