import { newKey } from '../../src/access/keys/key-format.ts';
import type { Random } from '../../src/sample/random.ts';
import { words } from '../support/words.ts';

/** What is asked, in which shares: the whole of one request as bytes. */
export interface Mix {
  /** `null` for a request without a good key. */
  readonly key: string;
  readonly slugs: readonly string[];
  readonly assets: readonly string[];
  /** Tags that were answered lately, by address. */
  readonly tags: Map<string, string>;
  readonly random: Random;
}

export interface Asked {
  readonly bytes: string;
  /** The address, where its tag is to be remembered. */
  readonly path: string;
  readonly isCounted: boolean;
}

const WORDS = words('news music docker python weather crypto новости музыка погода бот');
const KINDS = ['', '&kind=channel', '&kind=bot', '&kind=miniapp'];
const ENCODINGS = ['', 'Accept-Encoding: gzip\r\n', 'Accept-Encoding: br, gzip\r\n'];
const REMEMBERED_TAGS = 500;

/** Shares in a hundred, the first first. */
const SHARES: readonly (readonly [number, (mix: Mix) => Asked])[] = [
  // A tenth are searches that nobody has ever asked before.
  [10, (mix) => keyed(mix, `/search?q=${encodeURIComponent(unique(mix))}&locale=en`)],
  [5, (mix) => keyed(mix, `/search?q=${word(mix)}&page=${below(mix, 5) + 1}${one(mix, KINDS)}`)],
  [26, (mix) => keyed(mix, `/listings/${one(mix, mix.slugs)}`)],
  [14, (mix) => keyed(mix, `/listings/nobody-${number(mix)}`)],
  [4, (mix) => open(mix, '/api/v1/top', `x-api-key: ${number(mix)}\r\n`)],
  [4, (mix) => open(mix, '/api/v1/top', `x-api-key: ${newKey()}\r\n`)],
  [5, (mix) => open(mix, `/api/v1/search?q=${word(mix)}`)],
  [8, (mix) => keyed(mix, `/top?limit=${below(mix, 100) + 1}${one(mix, KINDS)}`)],
  [3, (mix) => keyed(mix, `/top?category=unknown-${number(mix)}`)],
  [4, (mix) => keyed(mix, '/categories?locale=en')],
  [5, conditional],
  [4, (mix) => open(mix, '/api/status')],
  [1, (mix) => open(mix, one(mix, ['/docs/en', '/docs/ru/reference', '/openapi.json', '/docs']))],
  [1, (mix) => open(mix, one(mix, mix.assets))],
  [2, (mix) => keyed(mix, `/top?limit=${number(mix)}`)],
  [2, (mix) => open(mix, `/api/v1/listings/%ff${number(mix)}`)],
  [2, (mix) => open(mix, `/unknown/${number(mix)}?token=${number(mix)}`)],
];

export function nextRequest(mix: Mix): Asked {
  let share = below(mix, 100);
  for (const [size, make] of SHARES) {
    if (share < size) return make(mix);
    share -= size;
  }
  return keyed(mix, '/status');
}

/** Keeps the tags of a few hundred addresses. */
export function remember(tags: Map<string, string>, path: string, etag: string): void {
  tags.set(path, etag);
  const [oldest] = tags.keys();
  if (tags.size > REMEMBERED_TAGS && oldest !== undefined) tags.delete(oldest);
}

function conditional(mix: Mix): Asked {
  const [path, etag] = one(mix, [...mix.tags.entries()]) ?? ['/api/v1/top', '"none"'];
  return ask(mix, path, `x-api-key: ${mix.key}\r\nIf-None-Match: ${etag}\r\n`, true);
}

function keyed(mix: Mix, path: string): Asked {
  return ask(mix, `/api/v1${path}`, `x-api-key: ${mix.key}\r\n`, true);
}

function open(mix: Mix, path: string, headers = ''): Asked {
  return ask(mix, path, headers, false);
}

function ask(mix: Mix, path: string, headers: string, isCounted: boolean): Asked {
  const head = `GET ${path} HTTP/1.1\r\nHost: soak\r\n`;
  return { bytes: `${head}${headers}${one(mix, ENCODINGS)}\r\n`, path, isCounted };
}

function unique(mix: Mix): string {
  return `${one(mix, WORDS)} ${number(mix)}`;
}

function word(mix: Mix): string {
  return encodeURIComponent(one(mix, WORDS));
}

function number(mix: Mix): string {
  return below(mix, 2 ** 48).toString(36);
}

function one<T>(mix: Mix, items: readonly T[]): T {
  return items[below(mix, items.length)] as T;
}

function below({ random }: Mix, limit: number): number {
  return Math.floor(random.uniform() * limit);
}
