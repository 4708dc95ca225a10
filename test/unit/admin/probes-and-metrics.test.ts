import { createServer } from 'node:http';

import { describe, expect, test } from 'vitest';

import { createAdmin, type AdminOptions } from '../../../src/admin/probes-and-metrics.ts';
import { allowedHosts } from '../../../src/admin/host-check.ts';
import { listenOn } from '../../../src/platform/http-server.ts';
import { exchange, parseAnswer } from '../../support/wire.ts';
import { words } from '../../support/words.ts';

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

test('a fault of ours tells the caller nothing of the code, and stands in the log', async () => {
  const logged: object[] = [];
  const { status, text, headers } = await ask('/en', {
    operatorPages: () => () => {
      throw new Error('of the inside');
    },
    logger: { error: (given: object) => void logged.push(given) },
  });
  expect([status, headers.get('cache-control')]).toEqual([500, 'no-store']);
  expect(text).not.toMatch(/of the inside|\.ts/);
  expect(logged).toEqual([{ err: new Error('of the inside') }]);
});

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

test('/metrics is text for Prometheus; where it cannot be read, 500 says so and the log says why', async () => {
  const { status, text, headers } = await ask('/metrics');
  expect([status, text]).toEqual([200, 'a 1\n']);
  expect(headers.get('content-type')).toContain('version=0.0.4');
  const logged: object[] = [];
  const failed = await ask('/metrics', {
    metrics: () => Promise.reject(new Error('no thread')),
    logger: { error: (given: object) => void logged.push(given) },
  });
  expect(failed.status).toBe(500);
  expect(logged).toEqual([{ err: new Error('no thread') }]);
});

describe('a name that is not known', () => {
  /** `fetch` does not let a caller choose the Host. */
  async function statusFor(
    host: string | null,
    { adminHost = '127.0.0.1', names = [] }: { adminHost?: string; names?: readonly string[] } = {},
  ): Promise<readonly number[]> {
    const isAllowedHost = allowedHosts(adminHost, names);
    const app = createAdmin({ checks: {}, metrics: async () => 'a 1\n', isAllowedHost });
    const options = { port: 0, host: '127.0.0.1', variable: 'ADMIN_PORT' };
    await using listening = await listenOn(createServer(app), options);
    const statuses: number[] = [];
    for (const path of ['/livez', '/readyz', '/metrics', '/nothing']) {
      const head = host === null ? `GET ${path} HTTP/1.0\r\n` : `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
      const { status, body } = parseAnswer(
        await exchange(listening.port, `${head}Connection: close\r\n\r\n`),
      );
      expect(body.includes('ADMIN_ALLOWED_HOSTS'), body).toBe(status === 421);
      statuses.push(status);
    }
    return statuses;
  }
  const WELCOME = [200, 200, 200, 404];
  const MISDIRECTED = [421, 421, 421, 421];

  test.each(['localhost', 'LOCALHOST:8081', 'localhost.:8081', '127.0.0.1:8081', '[::1]:8081', '[::1]', ''])(
    'is none of loopback: %s',
    async (host) => {
      expect(await statusFor(host)).toEqual(WELCOME);
    },
  );

  test.each([
    ...words('evil.example:8081 127.0.0.1.evil.example localhost.evil.example 169.254.169.254:8081'),
    ...words('[::2]:8081 127.0.0.1:8081:1'),
    'localhost, evil.example',
    'front',
  ])('is refused: %s', async (host) => {
    expect(await statusFor(host)).toEqual(MISDIRECTED);
  });

  test('is welcome where it is configured, and only that one', async () => {
    expect(await statusFor('front:8081', { names: ['serve', 'Front'] })).toEqual(WELCOME);
    expect(await statusFor('other', { names: ['serve', 'Front'] })).toEqual(MISDIRECTED);
    expect(await statusFor('other', { names: ['*'] })).toEqual(WELCOME);
  });

  test('is no address, where the port is reached from elsewhere: nobody else can have named it so', async () => {
    for (const adminHost of ['0.0.0.0', '::', '10.0.0.7']) {
      expect(await statusFor('10.0.0.7:8081', { adminHost })).toEqual(WELCOME);
      expect(await statusFor('[fd00::7]:8081', { adminHost })).toEqual(WELCOME);
      expect(await statusFor('evil.example', { adminHost })).toEqual(MISDIRECTED);
    }
  });

  test('is not missed where there is none: a browser always sends one', async () => {
    expect(await statusFor(null)).toEqual(WELCOME);
  });
});

test('anything else is 404', async () => {
  expect((await ask('/api/v1/top')).status).toBe(404);
});
