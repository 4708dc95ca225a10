import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { newKey } from '../../../src/access/keys/key-format.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import { type ErrorBody, runApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';

const api = forAllTests(() => runApi({}, published()));

async function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${api.url}/api/v1${path}`, { headers });
  const body = (await expectDocumented(response, path)) as ErrorBody;
  return { status: response.status, ...body };
}

describe('keys', () => {
  test.each([
    ['absent', {}],
    ['empty', { 'x-api-key': '' }],
    ['blank', { 'x-api-key': '  ' }],
  ])('an %s key is no key', async (_case, headers) => {
    const { status, error } = await ask('/top?locale=en', headers);
    expect(status).toBe(401);
    expect(error).toEqual({
      code: 'no_key',
      message: 'An API key is needed. Send it in the x-api-key header.',
      docs: 'https://catalog.example/docs/en#no_key',
    });
  });

  test.each([
    ['malformed', () => 'sesame'],
    ['4 KB long', () => 'a'.repeat(4096)],
    ['not ASCII', () => 'clé'],
    ['with a wrong checksum', () => `${newKey().slice(0, -1)}!`],
    ['well-formed and unknown', newKey],
    ['with an inner space', () => `${api.key.slice(0, 20)} ${api.key.slice(20)}`],
    ['with a no-break space', () => `${api.key}\u00a0`],
    ['sent twice', () => `${api.key}, ${api.key}`],
  ])('a key that is %s is bad, and every bad one gets the same body', async (_case, key) => {
    const { status, error } = await ask('/top', { 'x-api-key': key() });
    expect(status).toBe(401);
    expect(error.code).toBe('bad_key');
    expect(error.message).toContain('не действует');
  });

  test('outer blanks are not part of a key', async () => {
    expect((await ask('/top', { 'x-api-key': `  ${api.key} ` })).status).toBe(200);
  });

  test.each(['x-api-key', 'api_key', 'APIKEY', 'Key', 'token'])(
    'a key in the query as %s does not count',
    async (name) => {
      const alone = await ask(`/top?locale=en&${name}=${api.key}`);
      expect(alone.status).toBe(401);
      expect(alone.error.code).toBe('no_key');
      expect(alone.error.message).toContain('revoke');
      const beside = await ask(`/top?locale=en&${name}=${api.key}`, { 'x-api-key': api.key });
      expect(beside.status).toBe(400);
      expect(beside.error.code).toBe('bad_request');
      expect(beside.error.message).toContain('revoke');
    },
  );
});

describe('the quota', () => {
  test('is counted on every response, and the last request is followed by 429', async () => {
    await using small = await runApi({ dailyLimit: 3 }, published());
    const remaining: (string | null)[] = [];
    for (const path of ['/listings/ai-news', '/listings/nobody', '/top?limit=0']) {
      remaining.push((await small.get(path)).headers.get('x-ratelimit-remaining'));
    }
    expect(remaining).toEqual(['2', '1', '0']);
    const { status, body, headers } = await small.get('/top?locale=en');
    expect(status).toBe(429);
    expect(body.error?.code).toBe('rate_limited');
    expect(body.error?.message).toContain('All 3 requests of this day are used up');
    expect(headers.get('ratelimit-policy')).toBe('"daily";q=3;w=86400');
  });

  test('429 comes before validation, and before 304', async () => {
    await using small = await runApi({ dailyLimit: 1 }, published());
    const etag = String((await small.get('/listings/ai-news')).headers.get('etag'));
    expect((await small.get('/top?limit=0')).status).toBe(429);
    expect((await small.get('/listings/ai-news', { 'if-none-match': etag })).status).toBe(429);
  });

  test.each(['/search?q=qzxwvkj', '/top?category=nobody', '/listings/ai-news', '/categories'])(
    'a tag that is worked out from the body of %s, without having had it, is not one of ours',
    async (path) => {
      const asked = await fetch(`${api.url}/api/v1${path}`, { headers: { 'x-api-key': api.key } });
      const body = Buffer.from(await asked.arrayBuffer());
      const tags = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'].flatMap((algorithm) =>
        (['hex', 'base64', 'base64url'] as const).map(
          (form) => `W/"${createHash(algorithm).update(body).digest(form)}"`,
        ),
      );
      const { status, headers } = await api.get(path, { 'if-none-match': tags.join(', ') });
      expect(status).toBe(200);
      expect(headers.get('x-ratelimit-cost')).toBe('1');
    },
  );
});
