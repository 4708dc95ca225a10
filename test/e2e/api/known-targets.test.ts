import { afterAll, beforeAll, expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { exchange, parseAnswer, type WireAnswer } from '../../support/wire.ts';

/** A target that was answered is known, and no route is looked for again; every check is made again. */

let api: RunningApi;
beforeAll(async () => {
  api = await runApi();
  await api.project(published({ category: 'data-science' }));
});
afterAll(() => api[Symbol.asyncDispose]());

async function ask(method: string, key = api.key): Promise<WireAnswer> {
  const head = `${method} /api/v1/listings/ai-news?locale=en HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  return parseAnswer(await exchange(api.port, `${head}x-api-key: ${key}\r\n\r\n`), {
    hasBody: method !== 'HEAD' && method !== 'OPTIONS',
  });
}

test('a known target is answered by its own route, and only as its method and its key allow', async () => {
  const first = await ask('GET');
  expect(first.status).toBe(200);
  const again = await ask('GET');
  expect(again.body).toBe(first.body);
  expect([
    (await ask('POST')).status,
    (await ask('OPTIONS')).status,
    (await ask('GET', 'cat_live_nobody')).status,
    (await ask('HEAD')).status,
    (await ask('GET')).status,
  ]).toEqual([405, 204, 401, 200, 200]);
  expect(await api.metrics()).toContain(
    'catalog_http_request_duration_seconds_count{route="/api/v1/listings/:slug",status="200"} 4',
  );
});
