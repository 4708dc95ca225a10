import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';
import {
  categoryDefined,
  measured,
  probed,
  published,
  targetDefined,
  unpublished,
} from '../../support/events.ts';
import { countedAt, FIRST } from '../../support/monitor.ts';
import { exchange } from '../../support/wire.ts';

/**
 * What goes over the wire, byte by byte: status line, header fields in their order, body. Caches, and whatever else makes
 * answers fast, change none of it. `npm test -- test/e2e/api/bytes.test.ts -u` writes what was meant to change.
 */

let api: RunningApi;
beforeAll(async () => {
  api = await runApi({ at: countedAt(4) + 1000 });
  const long = { en: 'Long '.repeat(400), ru: 'Длинное '.repeat(400) };
  await api.project(
    categoryDefined(),
    published({ category: 'data-science', description: { en: 'News', ru: 'Новости' } }),
    measured(),
    published({
      subject: 'long',
      kind: 'bot',
      username: 'long_bot',
      title: { en: 'Long', ru: 'Длинный' },
      description: long,
    }),
    published({ subject: 'gone', username: 'gone', title: { en: 'Gone', ru: 'Ушедший' } }),
    unpublished({ subject: 'gone' }),
    targetDefined(),
    ...[0, 1, 2, 3].map((round) => probed({ round: FIRST + round })),
  );
});
afterAll(() => api[Symbol.asyncDispose]());

const PATHS = [
  '/api/v1/listings/ai-news',
  '/api/v1/listings/ai-news?locale=de',
  '/api/v1/listings/ai-news?key=1&locale=en',
  '/api/v1/listings/%zz',
  '/api/v1/listings/gone',
  '/api/v1/search?q=ai',
  '/api/v1/search?q=a%69&limit=1&locale=en',
  '/api/v1/search?q=+AI++&kind=channel&category=data-science',
  '/api/v1/search?q=nothing',
  '/api/v1/top',
  '/api/v1/top?limit=1&locale=en&kind=bot',
  '/api/v1/categories',
  '/api/v1/status',
  '/api/status',
  '/api/v1/nowhere?locale=en',
  '/docs',
];

/** What every answer with data begins with. */
const ALWAYS =
  /Access-Control-Allow-Origin: \*\r\nAccess-Control-Expose-Headers: [\w, -]+\r\nX-Content-Type-Options: nosniff\r\nVary: Accept-Encoding\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'/;

const ENCODINGS = ['', 'gzip', 'br', 'gzip;q=1, identity;q=0'];

test.each(PATHS)(
  '%s is answered with the same bytes as ever, the first time and the next ones',
  async (path) => {
    const answers: string[] = [];
    for (const method of ['GET', 'HEAD', 'POST']) answers.push(await asked(path, { method }));
    for (const encoding of ENCODINGS) answers.push(await asked(path, { encoding }));
    answers.push(await asked(path, { key: '' }), await asked(path, { key: 'wrong' }));
    const tag = /\r\nETag: (.*)\r\n/.exec(answers[0] ?? '')?.[1];
    for (const condition of tag === undefined ? [] : [tag, `"x", ${tag}`, '*', 'W/"x"']) {
      answers.push(await asked(path, { condition }), await asked(path, { condition, method: 'HEAD' }));
    }
    const name = path.replaceAll(/[^a-z0-9]+/gi, '-').slice(1);
    await expect(`${withoutRepeats(answers).join('\n\n')}\n`).toMatchFileSnapshot(`./bytes/${name}.txt`);
  },
);

interface How {
  readonly method?: string;
  readonly encoding?: string;
  readonly key?: string;
  readonly condition?: string;
}

/** The answer of a kept connection, which must be the same one twice. */
async function asked(path: string, { method = 'GET', encoding = '', key = api.key, condition = '' }: How) {
  const fields = [
    'Host: catalog.example',
    'X-Request-Id: 0123456789',
    ...(key === '' ? [] : [`x-api-key: ${key}`]),
    ...(encoding === '' ? [] : [`Accept-Encoding: ${encoding}`]),
    ...(condition === '' ? [] : [`If-None-Match: ${condition}`]),
  ];
  const one = `${method} ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n`;
  const text = await exchange(api.port, `${one}\r\n`, `${one}Connection: close\r\n\r\n`);
  const head = `> ${method} ${[encoding, condition && 'condition', key === api.key ? '' : 'no good key'].filter(Boolean).join(', ')}`;
  return `${head}\n${shown(text, method === 'HEAD')}`;
}

/** Without what differs from run to run; compressed bodies as what they say. */
function shown(text: string, isHead: boolean): string {
  const answers: string[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const fields = rest.slice(0, end);
    const hasNone = isHead || fields.startsWith('HTTP/1.1 304') || fields.startsWith('HTTP/1.1 204');
    const length = hasNone ? 0 : Number(/\r\nContent-Length: (\d+)/.exec(fields)?.[1] ?? 0);
    answers.push(steady(fields) + plain(fields, Buffer.from(rest.slice(end, end + length), 'latin1')));
    rest = rest.slice(end + length);
  }
  const [first = '', last = ''] = answers;
  // A request that breaks the connection off has no second answer.
  if (answers.length > 1) {
    expect(last).toBe(
      first.replace('Connection: keep-alive\r\nKeep-Alive: timeout=600', 'Connection: close'),
    );
  }
  return first.replaceAll('\r\n', '\n');
}

function plain(fields: string, bytes: Buffer): string {
  if (bytes.length === 0) return '';
  if (fields.includes('Content-Encoding: gzip')) return gunzipSync(bytes).toString();
  return fields.includes('Content-Encoding: br') ? brotliDecompressSync(bytes).toString() : bytes.toString();
}

function steady(fields: string): string {
  const steadied = fields
    .replace(ALWAYS, '(as always)')
    .replace(/\r\nDate: .*/, '\r\nDate: (now)')
    .replace(/Remaining: [1-9]\d*/, 'Remaining: (left)')
    .replace(/r=[1-9]\d*;/, 'r=(left);')
    .replace(/t=\d+\r/, 't=(left)\r');
  return fields.includes('Content-Encoding')
    ? steadied.replace(/Content-Length: \d+/, 'Content-Length: (packed)')
    : steadied;
}

/** A body that was shown already is only named. */
function withoutRepeats(answers: readonly string[]): readonly string[] {
  const seen: string[] = [];
  return answers.map((answer) => {
    const [head = '', body = ''] = answer.split('\n\n', 2);
    if (body === '') return head;
    const before = seen.indexOf(body);
    if (before === -1) seen.push(body);
    return `${head}\n\n${before === -1 ? body : `(body ${before + 1})`}`;
  });
}
