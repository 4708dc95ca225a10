import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitUntilServed } from '../../../../src/cli/waiting.ts';
import { compose } from '../../../../src/compose/parts.ts';
import { ensureTopics, startProjector } from '../../../../src/compose/projector.ts';
import { readConfig } from '../../../../src/config.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import { published } from '../../../support/events.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { runHere } from '../../../support/run-here.ts';

/** What `search` says of a small catalog. */

const CATALOG_DATA = temporaryFolder();
const running = new AsyncDisposableStack();

beforeAll(async () => {
  const logger = createLogger('silent', 'test');
  const parts = running.use(await compose(readConfig({ CATALOG_DATA }), 'test', { logger }));
  await ensureTopics(parts);
  const entries = [
    published({ subject: 'docker', username: 'docker_club', title: { en: 'The Docker club' } }),
    published({ subject: 'news', username: 'news', title: { ru: 'Новости про ИИ', en: 'AI news' } }),
    published({ subject: 'weather', username: 'weather_bot', kind: 'bot', title: { ru: 'Погода' } }),
  ];
  const records = entries.map((event) => ({
    topic: 'catalog.entries',
    key: event['subject'],
    value: Buffer.from(JSON.stringify(event)),
    headers: {},
  }));
  const places = await parts.log.append(records);
  running.use(await startProjector(parts, { acceptGaps: [] }));
  await waitUntilServed(parts, places, AbortSignal.timeout(20_000));
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

test('an explanation says how the query was understood, and adds up what each hit has of it', async () => {
  const said = await searched('новости ИИ', '--explain');
  expect(said).toContain('As typed: "новости ИИ"\n  новости, weight 1\n');
  expect(said).toMatch(/ {2}ии, weight 0\.95\n {4}synonyms: .*\bai\b/i);
  expect(said).toContain('1. news: it has all parts; relevance 21\n');
  expect(said).toContain(
    '   новости: own words lead a name: 11.5 x 1 = 11.5\n   ии: own words in a name: 10 x 0.95 = 9.5\n',
  );
});

test('an explanation tells of the other keyboard layout, of slips and of usernames', async () => {
  expect(await searched('ljrth', '--explain')).toMatch(
    /on the other keyboard layout: "докер"[^]*1\. docker: it has all parts of the other reading/,
  );
  expect(await searched('https://t.me/news/7', '--explain')).toMatch(
    /^0 Understood as the username news, and nothing else\.[^]*1\. news: a name equals the query/,
  );
});

test('scripts get the same in fields, and the parts add up to the relevance', async () => {
  const { stdout } = await runHere(['search', 'новости ИИ', '--explain', '--json'], { CATALOG_DATA });
  const { query, total, understood, items } = JSON.parse(stdout) as {
    readonly query: string;
    readonly total: number;
    readonly understood: {
      readonly as_typed: { readonly parts: readonly { readonly part: string }[] };
    };
    readonly items: readonly {
      readonly slug: string;
      readonly rank: {
        readonly relevance: number;
        readonly parts: readonly { readonly points: number }[];
        readonly matches: readonly object[];
      };
    }[];
  };
  expect([query, total, items.map(({ slug }) => slug)]).toEqual(['новости ИИ', 1, ['news']]);
  expect(understood.as_typed.parts.map(({ part }) => part)).toEqual(['новости', 'ии']);
  const rank = items[0]?.rank;
  expect(rank?.parts.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(rank?.relevance ?? NaN, 6);
  expect(rank?.matches[0]).toMatchObject({ field: 'title', language: 'ru', how: 'words' });
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

test.each(['', ' ', 'a\u0007b', 'x'.repeat(121)])('%j is no query', async (q) => {
  expect(await searched(q)).toMatch(/^2 catalog: The query must be text of 1 to 120 characters/);
});
