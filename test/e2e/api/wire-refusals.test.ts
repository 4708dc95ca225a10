import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { expectRefused, HOST, runStrictApi, TOP } from '../../support/strict-api.ts';
import { exchange as exchangeWith, parseAnswer } from '../../support/wire.ts';
import refusals from './wire-refusals.json' with { type: 'json' };

/** Requests that no well-behaved client sends, byte by byte. */

const api = forAllTests(runStrictApi);

const exchange = (...chunks: readonly (string | Buffer)[]) => exchangeWith(api.port, ...chunks);

describe('what the parser refuses has the error object and all headers, once, and is closed', () => {
  test.each<readonly [string, string, number]>([
    ...Object.entries<Readonly<Record<string, string>>>(refusals).flatMap(([status, cases]) =>
      Object.entries(cases).map(([what, bytes]) => [what, bytes, Number(status)] as const),
    ),
    ['nothing but NULs', '\0'.repeat(100), 400],
    ['headers of 16 KB', `${TOP}X-A: ${'a'.repeat(16_384)}\r\n\r\n`, 431],
    ['a key of 10 KB', `${TOP}x-api-key: ${'a'.repeat(10_240)}\r\n\r\n`, 431],
    ['2,001 headers', `${TOP}${'a:\r\n'.repeat(2001)}\r\n`, 431],
    ['an address of 1 MB', `GET /api/v1/top?category=${'a'.repeat(1_000_000)} HTTP/1.1\r\n${HOST}\r\n`, 414],
  ])('%s', async (_case, bytes, status) => {
    await expectRefused(await exchange(bytes), status);
  });

  test.each([
    ['locale=en&', /--data-urlencode 'q=бот' ADDRESS/],
    ['', /--data-urlencode 'q=бот' АДРЕС/],
  ])('letters that are not encoded (%s): the refusal says how to send them', async (locale, advice) => {
    const sent = `GET /api/v1/search?${locale}q=бот HTTP/1.1\r\n${HOST}\r\n`;
    const text = await exchange(sent);
    await expectRefused(text, 400);
    expect(Buffer.from(parseAnswer(text).body, 'latin1').toString()).toMatch(advice);
  });

  test('headers that come a byte at a time are cut: 408', async () => {
    const socket = connect(api.port, '127.0.0.1');
    const received: Buffer[] = [];
    const trickle = setInterval(() => socket.write('a'), 20);
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    socket.on('error', () => undefined);
    socket.write('GET /api/v1/top HTTP/1.1\r\nHost: x\r\nX-A: ');
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(trickle);
    await expectRefused(Buffer.concat(received).toString('latin1'), 408);
  });

  test('a large body is not read: the answer comes, then the end', async () => {
    const body = Buffer.alloc(10_000_000, 97);
    const text = await exchange(`${TOP}Content-Length: ${body.length}\r\n\r\n`, body);
    // Where our side closes first, the kernel may drop the answer together with the rest of the body.
    expect(['', '413']).toContain(text === '' ? '' : String(parseAnswer(text).status));
    expect((await api.get('/top')).status).toBe(200);
  });
});
