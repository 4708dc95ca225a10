import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { PUBLIC_URL, runApi } from '../../support/api.ts';
import { categoryDefined, measured, probed, published, targetDefined } from '../../support/events.ts';
import { countedAt, FIRST } from '../../support/monitor.ts';
import { exchange, parseAnswer } from '../../support/wire.ts';
import { words } from '../../support/words.ts';

/** What holds for every body, whatever it is about. */

const api = forAllTests(() =>
  runApi(
    { at: countedAt(0) + 1000 },
    categoryDefined(),
    published({ category: 'data-science', published_at: '2026-11-20T09:58:00.250+03:00' }),
    measured({ measured_at: '2026-11-20T09:00:00.000Z', subscribers: 5000, avg_views: 100 }),
    published({ subject: 'bare', kind: 'bot', title: { en: 'AI bot' } }),
    targetDefined(),
    probed({ round: FIRST }),
  ),
);

const PATHS = words('/search?q=ai&limit=1 /listings/ai-news /listings/bare /top /categories /status');

interface Member {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

/** Every member of a body, at any depth. */
function membersOf(body: unknown, path = ''): readonly Member[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => [
    { path: `${path}.${name}`, name, value: value as unknown },
    ...membersOf(value, `${path}.${name}`),
  ]);
}

/** The values that are not null, each as text. */
function texts(members: readonly Member[]): readonly string[] {
  return members.flatMap(({ value }) => (value === null ? [] : [JSON.stringify(value).replaceAll('"', '')]));
}

describe.each(PATHS)('%s', (path) => {
  test('is an object whose names are in snake_case', async () => {
    const { body } = await api.get(path);
    expect(Array.isArray(body)).toBe(false);
    const names = membersOf(body).map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z0-9]+(_[a-z0-9]+)*(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  test('has times in UTC, with milliseconds only where there are some', async () => {
    const times = membersOf((await api.get(path)).body).filter(({ name }) =>
      /_at$|^since$|^as_of$/.test(name),
    );
    const given = texts(times);
    expect(given.filter((time) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(?!000)\d{3})?Z$/.test(time))).toEqual(
      [],
    );
    for (const time of given) expect(Number.isNaN(Date.parse(time)), time).toBe(false);
  });

  test('has absolute links of ours, without a key, and says nothing of this request', async () => {
    const first = await api.get(path);
    const ours = membersOf(first.body).filter(({ path: place }) => /^\.links\.(self|prev|next)$/.test(place));
    const given = texts(ours);
    expect(given.filter((link) => !link.startsWith(`${PUBLIC_URL}/api/v1/`))).toEqual([]);
    expect(JSON.stringify(first.body)).not.toContain(api.key);
    const again = await api.get(path, { 'x-request-id': 'another-request', 'user-agent': 'another' });
    expect(again.body).toEqual(first.body);
  });

  test('has the same tag from another instance, and after a restart', async () => {
    const { headers } = await api.get(path);
    const { url } = await api.another();
    const other = await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': api.key } });
    expect(other.headers.get('etag')).toBe(headers.get('etag'));
  });

  test('is the same bytes in every encoding, under the same tag', async () => {
    const plain = await rawAnswer(path, 'identity');
    const gzipped = await rawAnswer(path, 'gzip, identity;q=0');
    const brotli = await rawAnswer(path, 'br, *;q=0');
    expect([gzipped, brotli].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'br']);
    expect(gunzipSync(Buffer.from(gzipped.body, 'latin1')).toString('latin1')).toBe(plain.body);
    expect(brotliDecompressSync(Buffer.from(brotli.body, 'latin1')).toString('latin1')).toBe(plain.body);
    const tags = [plain, gzipped, brotli].map(({ headers }) => headers.get('etag'));
    expect(new Set(tags).size).toBe(1);
  });
});

async function rawAnswer(path: string, encoding: string) {
  const headers = `Host: x\r\nx-api-key: ${api.key}\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n`;
  return parseAnswer(await exchange(api.port, `GET /api/v1${path} HTTP/1.1\r\n${headers}\r\n`));
}

test('a time keeps the milliseconds that it has, and loses those that are zero', async () => {
  const { body } = await api.get('/listings/ai-news');
  expect(body['published_at']).toBe('2026-11-20T06:58:00.250Z');
  expect(body['metrics']).toMatchObject({ measured_at: '2026-11-20T09:00:00Z' });
});
