import { describe, expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { PUBLIC_URL, runApi } from '../../support/api.ts';
import { categoryDefined, measured, published } from '../../support/events.ts';

const api = forAllTests(() =>
  runApi(
    { dailyLimit: 100_000 },
    categoryDefined({ subject: 'technology', title: { ru: 'Технологии', en: 'Technology' } }),
    categoryDefined({ subject: 'data-science', parent: 'technology' }),
    named('docker', 'ru_docker', { ru: 'Русский Docker', en: 'Docker in Russian' }, 'technology'),
    named('dockerfile', 'dockerfile_bot', { en: 'Dockerfile linter' }, 'data-science', 'bot'),
    named('containers', 'containers', { ru: 'Контейнеры', en: 'Docker' }, null),
    named('gardens', 'gardens', { ru: 'Сады и огороды', en: 'Gardens' }, 'never-defined'),
    named('loud', 'loud_gardens', { ru: 'Громкие сады' }, null),
    measured({ subject: 'loud', subscribers: 90_000 }),
    named('still', 'still_gardens', { ru: 'Мирные сады' }, null),
    named('quiet', 'quiet_gardens', { ru: 'Тихие сады' }, null),
  ),
);

type Title = Readonly<Record<string, string>>;

function named(subject: string, username: string, title: Title, category: string | null, kind = 'channel') {
  return published({ subject, username, title, kind, ...(category === null ? {} : { category }) });
}

async function slugs(query: string): Promise<readonly string[] | undefined> {
  const { status, body } = await api.get(`/search?${query}`);
  expect(status).toBe(200);
  return body.items?.map(({ slug }) => slug);
}

async function refusal(query: string): Promise<string> {
  const { status, body } = await api.get(`/search?locale=en&${query}`);
  expect(status, query).toBe(400);
  expect(body.error?.code).toBe('bad_request');
  return String(body.error?.message);
}

describe('a search', () => {
  test('shows a page of records, without a rank', async () => {
    const { status, body, headers } = await api.get('/search?q=gardens&locale=en&limit=1');
    expect(status).toBe(200);
    const self = `${PUBLIC_URL}/api/v1/search?q=gardens&locale=en&page=1&limit=1`;
    expect(body).toMatchObject({
      query: 'gardens',
      locale: 'en',
      kind: null,
      category: null,
      page: 1,
      limit: 1,
      pages: 4,
      total: 4,
      total_exact: true,
      items: [
        { slug: 'gardens', title: 'Gardens', category: { slug: 'never-defined' }, score: { value: 0 } },
      ],
      links: { self, prev: null, next: self.replace('page=1', 'page=2') },
    });
    expect(body.items?.[0]).not.toHaveProperty('rank');
    expect(headers.get('content-language')).toBe('en');
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  test('finds names equal to the query first, then the more telling match, the better score, the smaller slug', async () => {
    expect(await slugs('q=docker')).toEqual(['containers', 'docker', 'dockerfile']);
    expect(await slugs('q=сады')).toEqual(['gardens', 'loud', 'quiet', 'still']);
    expect(await slugs('q=RU_DOCKER')).toEqual(['docker']);
  });

  test('is filtered by kind, and by a category with all that is below it', async () => {
    expect(await slugs('q=docker&kind=bot')).toEqual(['dockerfile']);
    expect(await slugs('q=docker&category=technology')).toEqual(['docker', 'dockerfile']);
    expect(await slugs('q=docker&category=data-science')).toEqual(['dockerfile']);
    expect(await slugs('q=docker&category=technology&kind=channel')).toEqual(['docker']);
    expect(await slugs('q=gardens&category=never-defined')).toEqual(['gardens']);
  });

  test('of a category that does not exist, or for what nobody is called, finds nothing', async () => {
    for (const query of ['q=docker&category=nothing-here', 'q=zzzzzzzzzz']) {
      const { status, body } = await api.get(`/search?${query}`);
      expect(status).toBe(200);
      const links = { prev: null, next: null };
      expect(body).toMatchObject({ items: [], total: 0, total_exact: true, pages: 0, links });
    }
  });
});

describe('matches', () => {
  test('are told where they are asked for, and are no part of an answer elsewhere', async () => {
    const plain = await api.get('/search?q=docker&locale=en');
    const asked = await api.get('/search?q=docker&locale=en&matches=true');
    const denied = await api.get('/search?q=docker&locale=en&matches=false');
    expect(denied.body).toEqual(plain.body);
    expect(denied.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(asked.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const slugsOf = ({ body }: typeof plain) => body.items?.map(({ slug }) => slug);
    expect(slugsOf(asked)).toEqual(slugsOf(plain));
    for (const item of plain.body.items ?? []) expect(item).not.toHaveProperty('matches');
    const of = (slug: string) => asked.body.items?.find((item) => item.slug === slug);
    const match = { item: null, part: 'docker' };
    expect(of('containers')).toMatchObject({
      matches: [{ ...match, field: 'title', language: 'en', how: 'name', ranges: [{ start: 0, end: 6 }] }],
    });
    expect(of('docker')).toMatchObject({
      matches: [
        { ...match, field: 'username', language: null, how: 'words', ranges: [{ start: 3, end: 9 }] },
        { ...match, field: 'title', language: 'ru', how: 'words', ranges: [{ start: 8, end: 14 }] },
        { ...match, field: 'title', language: 'en', how: 'words', ranges: [{ start: 0, end: 6 }] },
      ],
    });
    const links = asked.body['links'] as { readonly self: string };
    expect(links.self).toBe(`${PUBLIC_URL}/api/v1/search?q=docker&locale=en&page=1&limit=20&matches=true`);
  });

  test('of an entry that its category alone finds say so, and follow its name', async () => {
    await using other = await runApi({ confirmMs: 0 });
    const defined = (revision: number, en: string) =>
      categoryDefined({ subject: 'plants', revision, title: { ru: en, en } });
    await other.project(defined(1, 'Gardening'), named('rose', 'rose', { en: 'Rose' }, 'plants'));
    const path = '/search?q=gardening&matches=true';
    const found = await other.get(path);
    expect(found.body.items?.[0]).toMatchObject({
      slug: 'rose',
      matches: [{ field: 'category', how: 'category', part: 'gardening', ranges: [] }],
    });
    await other.project(defined(2, 'Horticulture'));
    // What categories are called is read again after twenty times what reading it took, however little that was.
    other.clock.movedMs += 1000;
    expect((await other.get(path)).body).toMatchObject({ items: [] });
  });

  test('are asked for by true and false alone', async () => {
    for (const value of ['1', 'TRUE', 'yes', 'title']) {
      expect(await refusal(`q=docker&matches=${value}`)).toContain('one of true, false');
    }
    expect(await refusal('q=docker&matches=true&matches=true')).toContain('more than once');
    expect(await refusal('q=docker&matches=')).toContain('empty');
  });
});

describe('q', () => {
  test.each(['a', 'ж'.repeat(120), '🔥'.repeat(120), `  ${'a '.repeat(60)}  `, 'e\u0301'.repeat(120)])(
    '%s is accepted: up to 120 code points of trimmed NFC',
    async (q) => {
      const { status, body } = await api.get(`/search?q=${encodeURIComponent(q)}`);
      expect(status).toBe(200);
      expect(body['query']).toBe(q.trim().normalize('NFC'));
    },
  );

  test.each([
    'a'.repeat(121),
    '🔥'.repeat(121),
    '%20',
    '+%C2%A0+',
    '%00',
    'a%00b',
    'a%0Ab',
    '%09a',
    'a%C2%85',
  ])('q=%s is refused', async (q) => {
    expect(await refusal(`q=${q}`)).toBe(
      'Parameter q must be text of 1 to 120 characters, none of them a control character.',
    );
  });

  test('is required, and sent once', async () => {
    const accepted = 'text of 1 to 120 characters, none of them a control character';
    expect(await refusal('kind=bot')).toBe(`Parameter q is missing. It must be ${accepted}.`);
    // It cannot be left out, as an empty `kind` can.
    expect(await refusal('q=')).toBe(`Parameter q must be ${accepted}.`);
    expect(await refusal('q=a&q=b')).toContain('Parameter q was sent more than once');
  });
});
