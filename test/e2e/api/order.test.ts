import { describe, expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { runApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';
import { exchange, parseAnswer } from '../../support/wire.ts';

/** Requests with several faults at once: the checks have one order, and the first that fails decides. */

const api = forAllTests(() => runApi({}, published()));

const BAD_KEY = { 'x-api-key': 'sesame' };

describe('the checks run in one order', () => {
  test.each<readonly [string, string, string, Readonly<Record<string, string>>, number, string]>([
    ['a preflight comes before the route', 'OPTIONS', '/nothing?%ff', {}, 204, ''],
    ['a preflight comes before the encoding of the path', 'OPTIONS', '/api/v1/listings/%ff', {}, 204, ''],
    ['the encoding comes before the route', 'GET', '/nothing?a=%ff', {}, 400, 'bad_request'],
    ['the encoding comes before the method', 'POST', '/api/v1/top?a=%ff', {}, 400, 'bad_request'],
    ['the encoding comes before the key', 'GET', '/api/v1/top?a=%ff', BAD_KEY, 400, 'bad_request'],
    ['the route comes before the method', 'DELETE', '/nothing', {}, 404, 'not_found'],
    ['the route comes before the key', 'GET', '/api/v1/tops', BAD_KEY, 404, 'not_found'],
    ['the method comes before the key', 'PUT', '/api/v1/top', BAD_KEY, 405, 'bad_request'],
    ['the method comes before the parameters', 'PATCH', '/api/status?x=1', {}, 405, 'bad_request'],
    ['the key comes before the parameters', 'GET', '/api/v1/top?limit=0', {}, 401, 'no_key'],
    ['the key comes before the slug', 'GET', '/api/v1/listings/%00', BAD_KEY, 401, 'bad_key'],
    ['a bad header comes before a key in the query', 'GET', '/api/v1/top?key=1', BAD_KEY, 401, 'bad_key'],
  ])('%s', async (_title, method, path, headers, status, code) => {
    const before = api.documents.calls.length;
    const response = await fetch(`${api.url}${path}`, { method, headers });
    expect(response.status).toBe(status);
    const body = await expectDocumented(response, path, method);
    expect((body as { error: { code: string } } | null)?.error.code ?? '').toBe(code);
    expect(api.documents.calls.length, 'no store was asked').toBe(before);
  });

  test('a key in the query comes before the parameters, and these before the entry', async () => {
    expect((await api.get('/top?limit=0&key=1&locale=en')).body.error?.message).toContain('revoke');
    expect((await api.get('/listings/nobody?x=1')).status).toBe(400);
  });

  test('the message comes before everything: also before a preflight', async () => {
    const text = 'OPTIONS /api/v1/top HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na';
    expect(parseAnswer(await exchange(api.port, text)).status).toBe(413);
  });

  test('a request has its id from the first check on', async () => {
    for (const [path, init] of [
      ['/nothing', {}],
      ['/api/v1/top', {}],
      ['/api/v1/top', { method: 'POST' }],
      ['/api/v1/top?a=%ff', {}],
      ['/api/v1/top', { method: 'OPTIONS' }],
      ['/api/v1/top?limit=0', { headers: { 'x-api-key': api.key } }],
    ] as const) {
      const headers = { ...('headers' in init ? init.headers : {}), 'x-request-id': 'my-own-id' };
      const response = await fetch(`${api.url}${path}`, { ...init, headers });
      expect(response.headers.get('x-request-id'), path).toBe('my-own-id');
    }
  });

  test.each([
    ['1234567', false],
    ['12345678', true],
    ['A-z0'.repeat(16), true],
    ['A-z0'.repeat(16) + 'x', false],
    ['12345678.', false],
    ['id-with-é', false],
  ])('the id %s is kept: %s', async (id, isKept) => {
    const { headers } = await api.get('/top', { 'x-request-id': id });
    expect(headers.get('x-request-id') === id).toBe(isKept);
  });
});
