import { createServer } from 'node:http';

import { describe, expect, test } from 'vitest';

import { createAdmin, type AdminOptions } from '../../../src/admin/app.ts';
import { listenOn } from '../../../src/platform/listening.ts';

async function ask(path: string, options: Partial<AdminOptions> = {}) {
  const app = createAdmin({ checks: {}, metrics: async () => 'a 1\n', ...options });
  await using listening = await listenOn(createServer(app), {
    port: 0,
    host: '127.0.0.1',
    variable: 'ADMIN_PORT',
  });
  const response = await fetch(`${listening.url}${path}`);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

describe('/readyz', () => {
  test('is 200 where every check is well, and names each', async () => {
    const checks = {
      documents: async () => ({ ok: true, detail: 'serving listings@1' }),
      projector: () => ({ ok: true, detail: '6 lanes, 0 behind' }),
    };
    const { status, text, headers } = await ask('/readyz', { checks });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse(text)).toEqual({
      ok: true,
      checks: [
        { name: 'documents', ok: true, detail: 'serving listings@1' },
        { name: 'projector', ok: true, detail: '6 lanes, 0 behind' },
      ],
    });
  });

  test('is 200 where one is degraded, and says so', async () => {
    const checks = {
      documents: () => ({ ok: true, detail: 'serving' }),
      search: () => ({ ok: true, degraded: true, detail: 'the engine is down' }),
    };
    const { status, text } = await ask('/readyz', { checks });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      degraded: true,
      checks: [{ name: 'documents' }, { name: 'search', degraded: true, detail: 'the engine is down' }],
    });
  });

  test('is 503 where one is not, where one throws, and where one never answers', async () => {
    const failing = [
      () => ({ ok: false, detail: 'stalled' }),
      () => {
        throw new Error('gone');
      },
      () => Promise.reject(new Error('gone')),
      () => new Promise<never>(() => undefined),
    ];
    for (const check of failing) {
      const { status, text } = await ask('/readyz', { checks: { check }, checkLimitMs: 20 });
      expect(status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({ ok: false, checks: [{ name: 'check', ok: false }] });
    }
  });
});

test('/livez answers whatever the checks say', async () => {
  expect((await ask('/livez', { checks: { check: () => ({ ok: false, detail: '' }) } })).status).toBe(200);
});

test('/metrics is text for Prometheus; where it cannot be read, 500 says so', async () => {
  const { status, text, headers } = await ask('/metrics');
  expect([status, text]).toEqual([200, 'a 1\n']);
  expect(headers.get('content-type')).toContain('version=0.0.4');
  const failed = await ask('/metrics', { metrics: () => Promise.reject(new Error('no thread')) });
  expect([failed.status, failed.text]).toEqual([500, 'The metrics cannot be read: no thread\n']);
});

test('anything else is 404', async () => {
  expect((await ask('/api/v1/top')).status).toBe(404);
});
