import { expect, test } from 'vitest';

import { COUNTING } from '../../../src/api/pages/docs/guide-constants.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import { runApi, runUsedUp } from '../../support/api.ts';
import { LISTINGS } from '../../support/collections.ts';
import { published } from '../../support/events.ts';

/** The table of what counts, on the developer page: each line of it is asked for. */

const api = forAllTests(() => runApi({ confirmMs: 0 }, published()));

interface Asked {
  readonly key?: string;
  readonly method?: string;
  readonly etag?: string;
}

function ask(path: string, { key = api.key, method = 'GET', etag = '""' }: Asked = {}): Promise<Response> {
  return fetch(`${api.url}${path}`, { method, headers: { 'x-api-key': key, 'if-none-match': etag } });
}

type CountedCase = keyof typeof COUNTING;

const REQUESTS: Readonly<Record<CountedCase, () => Promise<readonly Response[]>>> = {
  answered: async () => [await ask('/api/v1/top')],
  head: async () => [await ask('/api/v1/top', { method: 'HEAD' })],
  refused: async () => [await ask('/api/v1/top?limit=0')],
  missing: async () => [await ask('/api/v1/listings/nobody')],
  unchanged: async () => {
    const etag = String((await ask('/api/v1/top')).headers.get('etag'));
    return [await ask('/api/v1/top', { etag })];
  },
  anyTag: async () => {
    const etag = String((await ask('/api/v1/top')).headers.get('etag'));
    const any = ['*', `${etag}, *`, `*, ${etag}`, `W/*, ${etag}`];
    return await Promise.all(any.map((tags) => ask('/api/v1/top', { etag: tags })));
  },
  usedUp: async () => {
    await using small = await runUsedUp();
    return [await fetch(`${small.url}/api/v1/top`, { headers: { 'x-api-key': small.key } })];
  },
  unauthorized: async () => [await ask('/api/v1/top', { key: '' }), await ask('/api/v1/top', { key: 'x' })],
  unreadable: async () => [await ask('/api/v1/top?category=%zz')],
  unknown: async () => [await ask('/api/v1/nothing')],
  method: async () => [await ask('/api/v1/top', { method: 'POST' })],
  fault: async () => {
    api.documents.failCollections = [LISTINGS];
    const down = await ask('/api/v1/listings/ai-news');
    api.documents.failCollections = [];
    return [down];
  },
  preflight: async () => [await ask('/api/v1/top', { method: 'OPTIONS' })],
  open: async () => await Promise.all(['/api/status', '/openapi.json', '/docs/en'].map((path) => ask(path))),
};

const STATUSES: Readonly<Record<CountedCase, number>> = {
  answered: 200,
  head: 200,
  refused: 400,
  missing: 404,
  unchanged: 304,
  anyTag: 304,
  usedUp: 429,
  unauthorized: 401,
  unreadable: 400,
  unknown: 404,
  method: 405,
  fault: 503,
  preflight: 204,
  open: 200,
};

test.each(Object.keys(COUNTING) as readonly CountedCase[])('%s costs what the page says', async (name) => {
  for (const { status, headers } of await REQUESTS[name]()) {
    expect(status).toBe(STATUSES[name]);
    expect(headers.get('x-ratelimit-cost')).toBe(String(COUNTING[name]));
  }
});
