import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitUntilServed } from '../../../../src/cli/wait-until-served.ts';
import { ensureTopics, startProjector } from '../../../../src/compose/projector.ts';
import { structuredRecord } from '../../../../src/events/event-types.ts';
import { published } from '../../../support/events.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { runHere } from '../../../support/run-here.ts';
import { openParts } from '../../../support/parts.ts';

/** What `search` says of a small catalog. */

const CATALOG_DATA = temporaryFolder();
const running = new AsyncDisposableStack();

beforeAll(async () => {
  const parts = running.use(await openParts({ CATALOG_DATA }));
  await ensureTopics(parts);
  const entries = [
    published({ subject: 'docker', username: 'docker_club', title: { en: 'The Docker club' } }),
    published({ subject: 'news', username: 'news', title: { ru: 'Новости про ИИ', en: 'AI news' } }),
    published({ subject: 'weather', username: 'weather_bot', kind: 'bot', title: { ru: 'Погода' } }),
  ];
  const places = await parts.log.append(entries.map(structuredRecord));
  running.use(await startProjector(parts, { acceptGaps: [] }));
  await waitUntilServed(parts, places, AbortSignal.timeout(120_000));
});
afterAll(() => running.disposeAsync());

async function searched(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(['search', ...args], { CATALOG_DATA });
  return `${code} ${stdout}${stderr}`;
}

test('hits are listed in the order of the API, in the language and of the kind that are asked for', async () => {
  expect(await searched('новости', '--locale', 'en')).toMatch(
    /^0 1 of 1:\n#  slug {2}.*\n1 {2}news {2}channel {2}AI news/,
  );
  expect(await searched('погода', '--kind', 'channel')).toBe('0 Nothing matches.\n');
  expect(await searched('погода', '--kind', 'bot')).toContain('weather');
});

interface Explanation {
  readonly query: string;
  readonly total: number;
  readonly understood: object;
  readonly items: readonly {
    readonly slug: string;
    readonly rank: { readonly relevance: number; readonly parts: readonly { readonly points: number }[] };
  }[];
}

async function explained(query: string): Promise<Explanation> {
  const { stdout } = await runHere(['search', query, '--explain'], { CATALOG_DATA });
  return JSON.parse(stdout) as Explanation;
}

test('an explanation says how the query was understood, and what each hit has adds up to its relevance', async () => {
  const { query, total, understood, items } = await explained('новости ИИ');
  expect([query, total, items.map(({ slug }) => slug)]).toEqual(['новости ИИ', 1, ['news']]);
  expect(understood).toMatchObject({
    as_typed: {
      text: 'новости ИИ',
      parts: [
        { part: 'новости', weight: 1 },
        { part: 'ии', weight: 0.95, synonyms: expect.arrayContaining(['ai']) as unknown },
      ],
    },
    instead: null,
  });
  expect(items[0]?.rank).toMatchObject({
    list: 'all',
    relevance: 21,
    parts: [
      { part: 'новости', has: 'own words lead a name', worth: 11.5, points: 11.5 },
      { part: 'ии', has: 'own words in a name', worth: 10, points: 9.5 },
    ],
    matches: expect.arrayContaining([
      expect.objectContaining({ field: 'title', language: 'ru', how: 'words' }),
    ]) as unknown,
  });
});

test('an explanation tells of the other keyboard layout and of usernames', async () => {
  expect(await explained('ljrth')).toMatchObject({
    understood: { instead: { because: 'layout', text: 'докер' } },
    items: [{ slug: 'docker', rank: { list: 'other_reading' } }],
  });
  expect(await explained('https://t.me/news/7')).toMatchObject({
    understood: { is_username: true, names: ['news'] },
    items: [{ slug: 'news', rank: { list: 'name' } }],
  });
});

test('without --explain scripts get the hits alone', async () => {
  const { stdout } = await runHere(['search', 'docker', '--json'], { CATALOG_DATA });
  const report = JSON.parse(stdout) as { readonly items: readonly object[] };
  expect(report).not.toHaveProperty('understood');
  expect(report.items[0]).toEqual({
    place: 1,
    slug: 'docker',
    kind: 'channel',
    category: null,
    title: 'The Docker club',
    username: 'docker_club',
    score: 0,
  });
});

test.each([' ', 'a\u0007b', 'x'.repeat(121)])('%j is no query', async (q) => {
  expect(await searched(q)).toMatch(/^2 catalog: The query must be text of 1 to 120 characters/);
});
