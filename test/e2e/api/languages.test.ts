import { describe, expect, test } from 'vitest';

import { type ErrorBody, PUBLIC_URL, runApi, runUsedUp } from '../../support/api.ts';
import { categoryDefined, published } from '../../support/events.ts';
import { forAllTests } from '../../support/for-each-test.ts';

const api = forAllTests(() =>
  runApi(
    {},
    categoryDefined({ title: { ru: 'Наука', en: 'Science' } }),
    published({
      subject: 'russian',
      category: 'data-science',
      title: { ru: 'Имя' },
      summary: { ru: 'Кратко' },
      description: { ru: 'Подробно' },
    }),
    published({
      subject: 'english',
      category: 'data-science',
      title: { en: 'Name' },
      summary: { en: 'In short' },
      description: { en: 'At length' },
    }),
  ),
);
const usedUp = forAllTests(runUsedUp);

async function refusal(path: string, query: string, asked = api, key = asked.key) {
  const separator = path.includes('?') ? '&' : '?';
  const headers = key === '' ? {} : { 'x-api-key': key };
  const response = await fetch(`${asked.url}${path}${separator}${query}`, { headers });
  const { error } = (await response.json()) as ErrorBody;
  return { ...error, language: response.headers.get('content-language'), status: response.status };
}

describe('an error', () => {
  test.each([
    ['400', '/api/v1/top?limit=0', () => api, undefined],
    ['401', '/api/v1/top', () => api, ''],
    ['401 of a bad key', '/api/v1/top', () => api, 'sesame'],
    ['404 of a listing', '/api/v1/listings/nobody', () => api, undefined],
    ['404 of an address', '/nothing', () => api, ''],
    ['429', '/api/v1/top', () => usedUp, undefined],
  ])('%s is in the language asked for, and so is the page it leads to', async (_what, path, asked, key) => {
    const russian = await refusal(path, 'locale=ru', asked(), key);
    const english = await refusal(path, 'locale=en', asked(), key);
    expect(english.status).toBe(russian.status);
    expect([russian.language, english.language]).toEqual(['ru', 'en']);
    expect(russian.message).toMatch(/[а-яё]/i);
    expect(english.message).not.toMatch(/[а-яё]/i);
    expect(russian.docs).toBe(`${PUBLIC_URL}/docs/ru#${russian.code}`);
    expect(english.docs).toBe(`${PUBLIC_URL}/docs/en#${english.code}`);
  });

  test.each([503, 500])('%i is in the language asked for too', async (status) => {
    api.documents.fault = status === 503 ? 'down' : 'broken';
    const english = await refusal('/api/v1/top', 'locale=en');
    const russian = await refusal('/api/v1/top', '');
    api.documents.fault = 'none';
    expect([english.status, english.language, english.docs]).toEqual([
      status,
      'en',
      `${PUBLIC_URL}/docs/en#internal`,
    ]);
    expect([russian.status, russian.language]).toEqual([status, 'ru']);
  });

  test.each(['', 'locale=de', 'locale=EN', 'locale=', 'locale=en&locale=en', 'lang=en'])(
    'is in Russian where the query says %s, which asks for nothing that there is',
    async (query) => {
      expect(await refusal('/nothing', query)).toMatchObject({
        language: 'ru',
        docs: `${PUBLIC_URL}/docs/ru#not_found`,
      });
    },
  );
});

describe('an answer', () => {
  test('takes no hint from Accept-Language', async () => {
    const { headers, body } = await api.get('/top', { 'accept-language': 'en' });
    expect([headers.get('content-language'), body['locale']]).toEqual(['ru', 'ru']);
    const refused = await api.get('/top?limit=0', { 'accept-language': 'en' });
    expect(refused.headers.get('content-language')).toBe('ru');
  });

  test('has a text that is missing in one language in the other one, and all others in the one asked for', async () => {
    expect((await api.get('/listings/russian?locale=en')).body).toMatchObject({
      title: 'Имя',
      summary: 'Кратко',
      description: 'Подробно',
      category: { title: 'Science' },
    });
    expect((await api.get('/listings/english?locale=ru')).body).toMatchObject({
      title: 'Name',
      summary: 'In short',
      description: 'At length',
      category: { title: 'Наука' },
    });
  });

  test('without parameters is the first 20, in Russian', async () => {
    expect((await api.get('/search?q=name')).body).toMatchObject({ locale: 'ru', page: 1, limit: 20 });
    expect((await api.get('/top')).body).toMatchObject({ locale: 'ru', limit: 20 });
    expect((await api.get('/categories')).body).toMatchObject({ locale: 'ru' });
    expect((await api.get('/listings/english')).headers.get('content-language')).toBe('ru');
  });
});
