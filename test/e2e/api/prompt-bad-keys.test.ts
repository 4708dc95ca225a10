import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newKey } from '../../../src/access/keys/format.ts';
import { runApi, type RunningApi } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { published } from '../../support/events.ts';
import { countingReads, Line, steady, turns } from '../../support/line.ts';

/** Keys that nobody can have been given, in header fields that were sent before with a good one. */

let api: RunningApi;
beforeAll(async () => {
  api = await runApi({ dailyLimit: 1_000_000 });
  await api.project(published());
});
afterAll(() => api[Symbol.asyncDispose]());

const HEAD = 'GET /api/v1/listings/ai-news HTTP/1.1\r\nHost: x\r\n';
const bytesOf = (field: string): string => `${HEAD}${field}\r\nAccept: */*\r\n\r\n`;

/** A connection on which the fields were learnt with the good key. */
async function learnt(field = `x-api-key: ${api.key}`): Promise<Line> {
  const line = new Line(api.port);
  for (let time = 0; time < 3; time += 1) await line.ask(bytesOf(field));
  return line;
}

const idOf = (answer: string): string => /\r\nX-Request-Id: ([^\r]+)/.exec(answer)?.[1] ?? '';

/** Its line in the log, without what differs between two of the same; null where it shares one. */
function toldOf(answer: string): string | null {
  const line = api.log.find((one) => one.includes(`"requestId":"${idOf(answer)}"`));
  if (line === undefined) return null;
  return line
    .replace(idOf(answer), '(id)')
    .replace(/"durationMs":[\d.]+/, '')
    .replace(/"time":"[^"]+"/, '');
}

/** The same bytes whole, and in two pieces, which Node reads. */
async function bothWays(line: Line, bytes: string) {
  const settled = async (one: Line, ...pieces: readonly string[]): Promise<string> => {
    await one.ask(...pieces);
    // What follows the first answer, where the bytes were more than one request.
    await turns();
    return one.received;
  };
  const { made: quick, byNode } = await countingReads(async () => await settled(line, bytes));
  using slow = new Line(api.port);
  const usual = await settled(slow, bytes.slice(0, 5), bytes.slice(5));
  return { quick, usual, byNode };
}

function mistyped(key: string): string {
  return key.endsWith('0') ? key.replace(/0$/, '1') : key.replace(/.$/, '0');
}

const MALFORMED: readonly (readonly [string, () => string])[] = [
  ['of one character', () => 'x'],
  ['too short', () => newKey().slice(0, -1)],
  ['too long', () => `${newKey()}0`],
  ['very long', () => 'k'.repeat(3000)],
  ['with another beginning', () => newKey().replace('cat', 'dog')],
  ['with a character that no key has', () => newKey().replace(/.$/, '_')],
  ['whose checksum does not hold', () => mistyped(newKey())],
  ['the good one, mistyped', () => mistyped(api.key)],
  ['in other letters', () => api.key.toUpperCase()],
  ['that looks like a field', () => `x-api-key:${api.key}`],
  ['two, with a comma', () => `${api.key},${api.key}`],
];

describe('a key that has not the form of one', () => {
  test.runIf(HAS_CACHES).each(MALFORMED)(
    '%s, is refused at the socket as by the usual way',
    async (_what, keyOf) => {
      using line = await learnt();
      const { quick, usual, byNode } = await bothWays(line, bytesOf(`x-api-key: ${keyOf()}`));
      expect(quick).toMatch(/^HTTP\/1\.1 401 /);
      expect(steady(quick)).toBe(steady(usual));
      expect(byNode).toBe(0);
      const told = [quick, usual].map(toldOf);
      const isTold = !told.includes(null);
      expect(isTold ? told[0] : null).toBe(isTold ? told[1] : null);
      // The connection goes on, and the good key with it.
      expect(await line.ask(bytesOf(`x-api-key: ${api.key}`))).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  test.runIf(HAS_CACHES)('is refused so at a listing that nobody has asked for', async () => {
    using line = await learnt();
    const bytes = bytesOf(`x-api-key: ${mistyped(api.key)}`).replace('ai-news', 'never-asked-for');
    const { quick, usual, byNode } = await bothWays(line, bytes);
    expect(quick).toMatch(/^HTTP\/1\.1 401 /);
    expect(steady(quick)).toBe(steady(usual));
    expect(byNode).toBe(0);
  });

  test('has a line in the log as by the usual way, and is counted among the requests', async () => {
    await using own = await runApi();
    await own.project(published());
    using line = new Line(own.port);
    for (let time = 0; time < 3; time += 1) await line.ask(bytesOf(`x-api-key: ${own.key}`));
    const bytes = bytesOf(`x-api-key: ${mistyped(own.key)}`);
    await line.ask(bytes);
    using slow = new Line(own.port);
    await slow.ask(bytes.slice(0, 5), bytes.slice(5));
    const lines = own.log.filter((one) => one.includes('"status":401'));
    const plain = lines.map((one) => one.replace(/"(requestId|time)":"[^"]+"|"durationMs":[\d.]+/g, ''));
    expect(plain).toHaveLength(2);
    expect(plain[0]).toBe(plain[1]);
    expect(plain[0]).toMatch(/"keyId":null,"address":"[^"]+"/);
    expect(await own.metrics()).toMatch(
      /catalog_http_request_duration_seconds_count\{route="[^"]*listings[^"]*",status="401"\} 2/,
    );
    expect(own.log.join('\n')).not.toContain(mistyped(own.key));
  });

  test.runIf(HAS_CACHES)('goes the usual way in fields that no good key was sent in', async () => {
    using line = await learnt();
    const bad = `x-api-key: ${mistyped(api.key)}`;
    const { byNode, quick } = await bothWays(line, bytesOf(`${bad}\r\nX-New: 1`));
    expect([byNode, quick.slice(9, 12)]).toEqual([1, '401']);
  });
});

describe('what is refused with a store alone, or not at all', () => {
  test('a key of the right form that nobody was given goes the usual way', async () => {
    using line = await learnt();
    const { byNode, quick, usual } = await bothWays(line, bytesOf(`x-api-key: ${newKey()}`));
    expect(byNode).toBe(1);
    expect(steady(quick)).toBe(steady(usual));
  });

  test('a new key of the right form works at once', async () => {
    using line = await learnt();
    const created = await api.keys.create('later');
    if (created.outcome !== 'created') throw new Error('no key was made');
    expect(await line.ask(bytesOf(`x-api-key: ${created.key}`))).toMatch(/^HTTP\/1\.1 200 /);
  });

  const bad = (): string => mistyped(api.key);
  const FIELDS: readonly (readonly [string, () => string])[] = [
    ['no key', () => 'X-Other: 1'],
    ['an empty key', () => 'x-api-key:'],
    ['an empty key and a blank', () => 'x-api-key: '],
    ['two bad keys', () => `x-api-key: ${bad()}\r\nx-api-key: ${bad()}`],
    ['a bad key before the good one', () => `x-api-key: ${bad()}\r\nx-api-key: ${api.key}`],
    ['the good key before a bad one', () => `x-api-key: ${api.key}\r\nX-API-KEY: ${bad()}`],
    ['another case of the name', () => `X-Api-Key: ${bad()}`],
    ['the good key under another case of the name', () => `X-Api-Key: ${api.key}`],
    ['no blank', () => `x-api-key:${bad()}`],
    ['two blanks', () => `x-api-key:  ${bad()}`],
    ['a tab', () => `x-api-key:\t${bad()}`],
    ['a blank after it', () => `x-api-key: ${bad()} `],
    ['a blank within', () => `x-api-key: ${bad()} ${bad()}`],
    ['a blank before the colon', () => `x-api-key : ${bad()}`],
    ['a folded line', () => `x-api-key: ${bad()}\r\n folded`],
    ['a bare line feed within', () => `x-api-key: ${bad()}\nX-Evil: 1`],
    ['a bare carriage return within', () => `x-api-key: ${bad()}\rX-Evil: 1`],
    ['a field more within', () => `x-api-key: ${bad()}\r\nTransfer-Encoding: chunked`],
    ['the end of the head within', () => `x-api-key: ${bad()}\r\n\r\nGET /api/v1/top HTTP/1.1\r\nHost: x`],
    ['a zero byte', () => `x-api-key: ${bad()}\0`],
    ['what is no ASCII', () => `x-api-key: ${bad()}\u00e9`],
    ['the name within another one', () => `a-x-api-key: ${bad()}`],
  ];
  test.each(FIELDS)('%s: answered as by the usual way', async (_what, fieldOf) => {
    using line = await learnt();
    const { quick, usual } = await bothWays(line, bytesOf(fieldOf()));
    expect(steady(quick)).toBe(steady(usual));
  });

  test('any bytes in the place of the key are answered as by the usual way', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom('\r\n', '\n', ' ', ':', 'x-api-key: ', 'cat_live_', 'Host: y', '0', '\0', '\u00ff'),
          {
            maxLength: 8,
          },
        )
        .map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (key) => {
        using line = await learnt();
        const { quick, usual } = await bothWays(line, bytesOf(`x-api-key: ${key}`));
        expect(steady(quick)).toBe(steady(usual));
      }),
      { numRuns: 100 },
    );
  });
});
