import { describe, expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { runApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';
import { words } from '../../support/words.ts';

const api = forAllTests(() => runApi({ dailyLimit: 100_000 }, published()));

async function message(path: string): Promise<string> {
  const { status, body, headers } = await api.get(path);
  expect(status, path).toBe(400);
  expect(body.error?.code).toBe('bad_request');
  expect(headers.get('cache-control')).toBe('no-store');
  return String(body.error?.message);
}

describe('parameters', () => {
  test.each([
    [
      '/top?locale=en&limit=1&limit=2',
      'Parameter limit was sent more than once. Send it once: a whole number from 1 to 100.',
    ],
    ['/top?locale=en&kind=', 'Parameter kind is empty. Leave it out, or send one of channel, bot, miniapp.'],
    ['/top?locale=en&kind', 'Parameter kind is empty. Leave it out, or send one of channel, bot, miniapp.'],
    [
      '/top?locale=en&limt=1',
      'There is no parameter limt here. Did you mean limit? It must be a whole number from 1 to 100.',
    ],
    [
      '/top?locale=en&category[$gt]=',
      'There is no parameter category[$gt] here, only locale, kind, category, limit.',
    ],
    [
      '/top?bogus=1&limit=0&locale=en',
      'There is no parameter bogus here, only locale, kind, category, limit.',
    ],
    ['/top?limit=0&bogus=1&locale=en', 'Parameter limit must be a whole number from 1 to 100.'],
  ])('%s: the message names the first offending one and what it accepts', async (path, expected) => {
    expect(await message(path)).toBe(expected);
  });

  test('a category is at most 64 characters, counted as people count them', async () => {
    expect((await api.get(`/top?category=${encodeURIComponent('🦀'.repeat(64))}`)).status).toBe(200);
    expect(await message(`/top?locale=en&category=${'a'.repeat(65)}`)).toContain('at most 64');
  });

  test('a thousand parameters, and a name of control characters, are refused in one short line', async () => {
    await message(`/top?${Array.from({ length: 1000 }, (_, index) => `p${index}`).join('&')}`);
    const text = await message(`/top?locale=en&${'%0d%0a%1b[31m'.repeat(50)}=1`);
    expect(text).not.toMatch(/\p{Cc}/u);
    expect(text.length).toBeLessThan(200);
  });
});

test.each([
  ...words('/api/v1/nothing /API/v1/top /api/v1/top/ /api/v1//top // /api/v1/listings/'),
  ...words('/api/v1/listings/a/b /readyz /metrics'),
])('%s is 404 without a look at the key', async (path) => {
  const response = await fetch(`${api.url}${path}?locale=en`);
  const body = (await expectDocumented(response, path)) as { error: { code: string; message: string } };
  expect(response.status).toBe(404);
  expect(body.error.code).toBe('not_found');
  expect(body.error.message).toContain('https://catalog.example/docs/en');
  expect(response.headers.get('x-ratelimit-remaining')).toBe('100000');
});
