import { createServer } from 'node:http';

import { listenMeasured } from '../http/measured.ts';

/**
 * Raw `node:http` that looks nothing up: for each kind of request one recorded answer, the same bytes and header fields.
 * `constant.ts ANSWERS`: by the beginning of a path, `304` for a named tag, `404`, `401`.
 */
export interface Recorded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const recorded = JSON.parse(process.argv[2] ?? '{}') as Readonly<Record<string, Recorded>>;
const answers = new Map(
  Object.entries(recorded).map(([kind, { body, ...head }]) => [kind, { ...head, body: Buffer.from(body) }]),
);

function kindOf(path: string, key: unknown, tag: unknown): string {
  if (String(key).startsWith('bad-')) return '401';
  if (path.startsWith('/api/v1/listings/nobody-')) return '404';
  if (tag !== undefined) return '304';
  return /^\/api\/v1(\/\w+)/.exec(path)?.[1] ?? '';
}

const server = createServer(({ url = '', headers }, response) => {
  const answer = answers.get(kindOf(url, headers['x-api-key'], headers['if-none-match']));
  if (!answer) return void response.writeHead(500).end();
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
});
listenMeasured(server);
