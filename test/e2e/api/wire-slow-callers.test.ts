import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';

import express from 'express';
import { describe, expect, test } from 'vitest';

import { listen } from '../../../src/api/http/server.ts';
import { heldMemory } from '../../support/memory.ts';
import { HOST, runStrictApi } from '../../support/strict-api.ts';
import { exchange as exchangeWith, parseAnswer } from '../../support/wire.ts';
import { forAllTests } from '../../support/for-each-test.ts';

/** Callers who send or read too slowly, or leave. */

const api = forAllTests(runStrictApi);

const exchange = (...chunks: readonly (string | Buffer)[]) => exchangeWith(api.port, ...chunks);

const LARGE = Buffer.alloc(1_000_000, 97);

describe('connections', () => {
  test('answers that a caller has left behind are not remembered', async () => {
    const asked = `GET /api/v1/search?q=left-behind HTTP/1.1\r\n${HOST}x-api-key: ${api.key}\r\n\r\n`;
    const responses: WeakRef<object>[] = [];
    const started = (message: unknown): void => {
      responses.push(new WeakRef((message as { readonly response: object }).response));
    };
    subscribe('http.server.request.start', started);
    for (let round = 0; round < 5; round += 1) {
      const socket = connect(api.port, '127.0.0.1', () => socket.write(asked.repeat(20)));
      socket.on('error', () => undefined);
      const seen = responses.length;
      await expect.poll(() => responses.length).toBeGreaterThan(seen);
      socket.resetAndDestroy();
    }
    unsubscribe('http.server.request.start', started);
    await expect
      .poll(() => (heldMemory(), responses.filter((response) => response.deref() !== undefined).length))
      .toBe(0);
  });

  test('500 slow connections do not keep good requests waiting, and are cut', async () => {
    const slow = Promise.all(Array.from({ length: 500 }, () => exchange('GET / HT')));
    expect((await api.get('/top')).status).toBe(200);
    const answers = await slow;
    expect(answers.every((text) => text === '' || parseAnswer(text).status === 408)).toBe(true);
  });

  test('a reader who takes a response too slowly is cut', async () => {
    const size = 50_000_000;
    const app = express();
    app.get('/', (_request, response) => {
      response.end(Buffer.alloc(size));
    });
    const limits = { requestTimeoutMs: 300, headersTimeoutMs: 300, checkingIntervalMs: 20 };
    await using listening = await listen({ ...api.api, handle: app }, { port: 0, host: '127.0.0.1', limits });
    const socket = connect(listening.port, '127.0.0.1');
    let received = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      // Some 6 MB a second: there is always progress, and never enough.
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(size);
  });

  test('readers who leave a lot unread are cut before others, and good ones are answered', async () => {
    const app = express();
    let closed = 0;
    app.get('/large', (request, response) => {
      request.socket.once('close', () => (closed += 1));
      response.end(LARGE);
    });
    app.get('/small', (_request, response) => {
      response.end('small');
    });
    const limits = { maxUnreadBytes: 4_000_000, checkingIntervalMs: 20, requestTimeoutMs: 60_000 };
    await using listening = await listen({ ...api.api, handle: app }, { port: 0, host: '127.0.0.1', limits });
    const open = (): Socket => connect(listening.port, '127.0.0.1').on('error', () => undefined);
    const good = open();
    let answered = '';
    good.on('data', (bytes: Buffer) => (answered += bytes.toString()));
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    good.write(ask('/small'));
    const greedy = Array.from({ length: 12 }, open);
    for (const socket of greedy) socket.pause().write(ask('/large'));
    // Three of them, with their headers, are within the bound.
    await expect.poll(() => closed).toBe(9);
    good.write(ask('/small'));
    await expect.poll(() => answered.match(/small/g)).toHaveLength(2);
    expect(closed).toBe(9);
    for (const socket of [good, ...greedy]) socket.destroy();
  });
});

test.each([
  ['whole', (whole: string) => [whole], 4],
  ['in pieces', (whole: string) => [whole.slice(0, 30), whole.slice(30)], 1],
] as const)(
  'half a request on a connection that is used already, for requests that came %s, is told that it did not arrive in time',
  async (_where, cut, times) => {
    const limits = { headersTimeoutMs: 2500, checkingIntervalMs: 20, keepAliveMs: 1 };
    await using listening = await listen(api.api, { port: 0, host: '127.0.0.1', limits });
    const whole = `GET /api/v1/top HTTP/1.1\r\n${HOST}x-api-key: ${api.key}\r\n\r\n`;
    const socket = connect(listening.port, '127.0.0.1').setNoDelay();
    let received = '';
    const answers = (): number => received.match(/HTTP\/1\.1 200/g)?.length ?? 0;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    for (let time = 1; time <= times; time += 1) {
      for (const piece of cut(whole)) await new Promise((resolve) => socket.write(piece, resolve));
      await expect.poll(answers).toBe(time);
    }
    socket.write('GET /api/v1/top HTTP/1.1\r\nHo');
    await closed;
    const last = received.slice(received.lastIndexOf('HTTP/1.1 '));
    expect(last.slice(9, 12)).toBe('408');
    expect(JSON.parse(parseAnswer(last).body)).toMatchObject({ error: { code: 'bad_request' } });
  },
);
