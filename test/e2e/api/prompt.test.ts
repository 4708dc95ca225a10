import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { published } from '../../support/events.ts';
import { costOf, idOf, leftOf, lineOf } from '../../support/http-answers.ts';
import { countingReads, Line, steady, turns } from '../../support/line.ts';

/**
 * What is answered at the socket, from memory, beside the same request answered by Node and Express: the second way is taken
 * where a request comes in two pieces.
 */

let api: RunningApi;
let other: string;
beforeAll(async () => {
  api = await runApi({ dailyLimit: 1_000_000 });
  await api.project(
    published({ description: { en: 'News '.repeat(300), ru: 'Новости '.repeat(300) } }),
    published({ subject: 'short', username: 'short_one' }),
  );
  const created = await api.keys.create('others');
  if (created.outcome !== 'created') throw new Error('no key was made');
  other = created.key;
});
afterAll(() => api[Symbol.asyncDispose]());

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
}

function bytesOf({ method, path, fields }: Asked): string {
  return `${method} ${path} HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;
}

const PLAIN = (): Asked => ({
  method: 'GET',
  path: '/api/v1/listings/ai-news',
  fields: ['Host: x', `x-api-key: ${api.key}`],
});

/** Asks until the answer comes from memory: all parts of it are learnt by then. The last answer. */
async function warm(line: Line, bytes: string): Promise<string> {
  let last = '';
  for (let time = 0; time < 3; time += 1) last = await line.ask(bytes);
  return last;
}

const paths = fc.constantFrom(
  '/api/v1/listings/ai-news',
  '/api/v1/listings/ai-news?locale=en',
  '/api/v1/listings/AI-News?locale=ru',
  '/api/v1/listings/short',
  '/api/v1/listings/nobody',
  '/api/v1/listings/ai-news?key=1',
  '/api/v1/listings/ai-news?locale=xx',
  '/api/v1/top',
  '/api/v1/top?limit=1&locale=en',
  '/api/v1/categories',
  '/api/v1/search?q=ai',
  '/api/v1/status',
  '/api/status',
  '/api/v1/nowhere',
  '/docs',
  '/api/v1/listings/%zz',
  'http://x/api/v1/top',
);
const fieldLists = fc.tuple(
  // Most are as most clients send them: the others never go to the socket.
  fc.constantFrom(
    'Host: x',
    'Host: x',
    'Host: x',
    'Host: x',
    'host: catalog.example:80',
    'Host: [::1]',
    'Host: x y',
    'X-No: host',
  ),
  fc.constantFrom('good', 'good', 'good', 'other', 'wrong', 'none', 'twice', 'padded'),
  fc.subarray(
    [
      'Accept: */*',
      'Accept-Encoding: gzip, br',
      'Accept-Encoding: gzip;q=1, identity;q=0',
      'accept-encoding: br;q=0',
      'If-None-Match: TAG',
      'If-None-Match: "x", TAG',
      'If-None-Match: *',
      'If-None-Match: W/"other"',
      'Connection: keep-alive',
      'Connection: close',
      'X-Request-Id: request-0123',
      'Expect: 100-continue',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Content-Length: 0',
      'X-Odd : 1',
      'X-Empty:',
      'X-Tab:\tvalue\t',
      'X-High: \u00e9',
      'Origin: https://example.org',
    ],
    { maxLength: 5 },
  ),
);
const requests = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST'),
  path: paths,
  fields: fieldLists,
});

function keyFields(kind: string): readonly string[] {
  switch (kind) {
    case 'good':
      return [`x-api-key: ${api.key}`];
    case 'other':
      return [`X-API-Key: ${other}`];
    case 'padded':
      return [`x-api-key:   ${api.key}  `];
    case 'wrong':
      return [`x-api-key: cat_live_${'0'.repeat(36)}`];
    case 'twice':
      return [`x-api-key: ${api.key}`, `x-api-key: ${other}`];
    default:
      return [];
  }
}

describe('a request that is repeated', () => {
  test.runIf(HAS_CACHES)('is answered at the socket, and Node does not read it', async () => {
    using line = new Line(api.port);
    await warm(line, bytesOf(PLAIN()));
    const { byNode, made } = await countingReads(async () => {
      const answers: string[] = [];
      for (let time = 0; time < 20; time += 1) answers.push(await line.ask(bytesOf(PLAIN())));
      return answers;
    });
    // A moment in which an answer is made again, or the quota is filled up, goes the other way.
    expect(byNode).toBeLessThan(20);
    expect(new Set(made.map(steady)).size).toBe(1);
    expect(new Set(made.map(idOf)).size).toBe(20);
  });

  test('has the same bytes, the same line in the log and the same effect on the quota either way', async () => {
    using tagged = new Line(api.port);
    const tag = /\r\nETag: ([^\r]+)/.exec(await tagged.ask(bytesOf(PLAIN())))?.[1] ?? '';
    const ways = { atSocket: 0 };
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, fields: [host, key, more] }) => {
        const fields = [host, ...keyFields(key), ...more.map((field) => field.replace('TAG', tag))];
        const bytes = bytesOf({ method, path, fields });
        using line = new Line(api.port);
        const before = await warm(line, bytes);
        const { made: quick, byNode } = await countingReads(async () => await line.ask(bytes));
        using slow = new Line(api.port);
        const usual = await slow.ask(bytes.slice(0, 5), bytes.slice(5));
        if (byNode === 0 && quick !== '') ways.atSocket += 1;
        // A connection that was closed says nothing more.
        if (quick === '') return;
        const lines = [quick, usual].map((answer) => lineOf(api.log, answer));
        // Of those that cost nothing, some share a line.
        const isTold = costOf(usual) === 1 || !lines.includes('none');
        const isCounted = leftOf(quick) > 0 && leftOf(usual) > 0;
        expect({
          bytes: steady(quick),
          line: isTold ? lines[0] : null,
          taken: isCounted ? [leftOf(before) - leftOf(quick), leftOf(quick) - leftOf(usual)] : null,
        }).toEqual({
          bytes: steady(usual),
          line: isTold ? lines[1] : null,
          taken: isCounted ? [costOf(usual), costOf(usual)] : null,
        });
      }),
      { numRuns: 300 },
    );
    // Else it would have compared nothing.
    expect(ways.atSocket > 10).toBe(HAS_CACHES);
  });

  test('is seen as changed no later than by the usual way: content, key, quota', async () => {
    using line = new Line(api.port);
    const bytes = bytesOf(PLAIN());
    await warm(line, bytes);
    const second = await api.keys.create('revoked');
    if (second.outcome !== 'created') throw new Error('no key was made');
    const mine = bytesOf({ ...PLAIN(), fields: ['Host: x', `x-api-key: ${second.key}`] });
    await warm(line, mine);
    await api.keys.revoke('revoked', second.id);
    api.clock.movedMs += 1001;
    // The answer itself is there again: it is the key that has to be looked at.
    await warm(line, bytes);
    expect(await line.ask(mine)).toMatch(/^HTTP\/1\.1 401 /);
    await api.project(published({ revision: 2, title: { en: 'Changed', ru: 'Другое' } }));
    api.clock.movedMs += 501;
    await expect.poll(async () => await line.ask(bytes)).toContain(Buffer.from('Другое').toString('latin1'));
  });

  test('and is no whole request, or more than one, is read by Node alone', async () => {
    using line = new Line(api.port);
    const bytes = bytesOf(PLAIN());
    await warm(line, bytes);
    // The head that goes on is not at its end: what looks like a request is the value of its last field.
    const begun = `GET /api/v1/listings/short HTTP/1.1\r\nHost: x\r\nx-api-key: ${api.key}\r\nX-Rest: `;
    const answer = await line.ask(begun, bytes);
    // Two hosts: the second one is that of the field's value.
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    using twice = new Line(api.port);
    await warm(twice, bytes);
    await twice.ask(bytes + bytes);
    await turns();
    expect(await twice.ask(bytes)).toMatch(/^HTTP\/1\.1 200/);
  });

  test('waits for the answer that is owed before it, though its own is there at once', async () => {
    using line = new Line(api.port);
    const bytes = bytesOf(PLAIN());
    await warm(line, bytes);
    const search = bytesOf({ ...PLAIN(), path: '/api/v1/search?q=owed-before-it' });
    const both = await line.ask(search, bytes);
    expect(both).toMatch(/^HTTP\/1\.1 200 OK[^]*"items"/);
    await expect.poll(() => line.received.match(/HTTP\/1\.1 200/g)?.length).toBe(2);
    expect(line.received.indexOf('"items"')).toBeLessThan(line.received.lastIndexOf('HTTP/1.1 200'));
  });
});
