import { describe, expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { categoryDefined, measured, published } from '../../support/events.ts';
import { PUBLIC_URL, runApi } from '../../support/api.ts';

const api = forAllTests(() =>
  runApi(
    { confirmMs: 0 },
    categoryDefined({ subject: 'technology', title: { ru: 'Технологии', en: 'Technology' } }),
    categoryDefined({ subject: 'data-science', parent: 'technology' }),
    published({ subject: 'ai-news', category: 'data-science', verified: true }),
    measured({ subject: 'ai-news', subscribers: 182_400, avg_views: 41_000, posts_per_week: 24 }),
    published({ subject: 'go-chat', category: 'technology', title: { en: 'Go chat' }, subtype: 'group' }),
    measured({ subject: 'go-chat', subscribers: 500 }),
    published({ subject: 'quiet-bot', kind: 'bot', title: { ru: 'Тихий бот' } }),
    published({ subject: 'app', kind: 'miniapp', category: 'never-defined' }),
    measured({ subject: 'app', kind: 'miniapp', monthly_users: 40, rating: { value: 4.5, count: 10 } }),
  ),
);

test('a listing shows what was published and measured, in the language asked for', async () => {
  const { status, body, headers } = await api.get('/listings/ai-news?locale=en');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    slug: 'ai-news',
    kind: 'channel',
    title: 'AI News',
    category: { slug: 'data-science', title: 'Data science' },
    audience: { value: 182_400, unit: 'subscribers' },
    metrics: { measured_at: '2026-11-20T09:00:00Z', err_pct: 22.5 },
    published_at: '2026-11-20T09:58:00Z',
  });
  expect(body['score']).toMatchObject({
    scale: 100,
    breakdown: [{ key: 'audience', title: 'Audience' }, {}, {}, {}],
  });
  expect(headers.get('content-language')).toBe('en');
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('last-modified')).toBe('Fri, 20 Nov 2026 10:00:00 GMT');
});

describe('the top', () => {
  test('lists by score, then slug, with ranks from 1', async () => {
    const { body } = await api.get('/top?locale=en');
    const slugs = body.items?.map(({ slug }) => slug);
    expect(slugs?.[0]).toBe('ai-news');
    expect(slugs?.at(-1)).toBe('quiet-bot');
    expect(body.items?.map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
    expect(body).toMatchObject({ locale: 'en', kind: null, category: null, limit: 20, total: 4 });
    expect(body['as_of']).toBe('2026-11-20T09:00:00Z');
  });

  test('filters by kind, and by a category with all that is below it', async () => {
    expect((await api.get('/top?kind=bot')).body.items?.map(({ slug }) => slug)).toEqual(['quiet-bot']);
    const { body } = await api.get('/top?category=technology');
    expect(body.items?.map(({ slug }) => slug)).toEqual(['ai-news', 'go-chat']);
    expect(body.total).toBe(2);
  });

  test('counts what it does not list', async () => {
    const { body } = await api.get('/top?limit=1');
    expect(body.items).toHaveLength(1);
    expect(body.total).toBe(4);
  });

  test('of a category that no event defines still finds its entries; of an unknown one nothing', async () => {
    expect((await api.get('/top?category=never-defined')).body.total).toBe(1);
    expect((await api.get('/top?category=nothing-here')).body).toMatchObject({
      total: 0,
      items: [],
      as_of: null,
    });
    const quoted = await api.get(`/top?category=${encodeURIComponent('x" OR kind="bot')}`);
    expect(quoted.body).toMatchObject({ total: 0, items: [], category: 'x" OR kind="bot' });
  });
});

test('categories stand in a tree for each kind, and their totals are those of the top', async () => {
  const { body } = await api.get('/categories?locale=en');
  expect(body).toEqual({
    locale: 'en',
    total: 4,
    trees: {
      channel: {
        total: 2,
        categories: [
          {
            slug: 'technology',
            title: 'Technology',
            count: 1,
            total: 2,
            children: [{ slug: 'data-science', title: 'Data science', count: 1, total: 1, children: [] }],
          },
        ],
      },
      bot: { total: 1, categories: [] },
      miniapp: {
        total: 1,
        categories: [{ slug: 'never-defined', title: 'never-defined', count: 1, total: 1, children: [] }],
      },
    },
  });
});

test('the tag differs between languages and follows the content', async () => {
  const tag = async (path: string) => (await api.get(path)).headers.get('etag');
  expect(await tag('/listings/app?locale=ru')).not.toBe(await tag('/listings/app?locale=en'));
  const before = await tag('/listings/app');
  expect(await tag('/listings/app')).toBe(before);
  await api.project(
    measured({ subject: 'app', kind: 'miniapp', monthly_users: 41, measured_at: '2026-11-20T09:30:00Z' }),
  );
  expect(await tag('/listings/app')).not.toBe(before);
});

test('up to 1 KiB is sent as it is', async () => {
  expect((await api.get('/top?kind=bot&limit=1')).headers.get('content-encoding')).toBeNull();
});

test('the description of the API needs no key, costs nothing, and is in English unless Russian is asked for', async () => {
  const english = await fetch(`${api.url}/openapi.json`);
  expect(english.status).toBe(200);
  expect(english.headers.get('x-ratelimit-remaining')).toBe('1000');
  expect(english.headers.get('content-language')).toBe('en');
  const body = (await english.json()) as { openapi: string; servers: readonly { url: string }[] };
  expect(body.openapi).toBe('3.1.0');
  expect(body.servers[0]?.url).toBe(`${PUBLIC_URL}/api/v1`);
  const russian = await fetch(`${api.url}/openapi.json?lang=ru`);
  expect(await russian.text()).toContain('Одна запись');
});
