import { createServer, type IncomingMessage } from 'node:http';

import { listenOnLoopback } from '../../loopback.ts';
import type { Document } from './filter.ts';
import { indexNotFound, Problem } from './problem.ts';
import { StoredIndex, type SearchRequest, type Settings } from './stored-index.ts';
import { Tasks } from './tasks.ts';

/**
 * A stand-in for Meilisearch where neither a server nor Docker is: a part of its HTTP API, in memory. A run on it is no
 * run on Meilisearch: its words are split, ranked and compared by simpler rules, and it forgets everything at its end.
 */
export const STAND_IN = 'stand-in for Meilisearch 1.50';

interface Answer {
  readonly status: number;
  /** Text is sent as it is. */
  readonly body: unknown;
}

export interface StandIn extends AsyncDisposable {
  readonly url: string;
  readonly tasks: Tasks;
  /** Gives every request this answer, until it is told null. */
  failWith(answer: Answer | null): void;
  /** Takes an index away, as somebody else would. */
  lose(uid: string): void;
  /** Requests so far, as `POST /multi-search`. */
  readonly requests: readonly string[];
  /** The encodings in which answers were asked for. */
  readonly encodings: ReadonlySet<string>;
}

export interface StandInOptions {
  /** What each key may do; none is asked for where there are none. */
  readonly keys?: Readonly<Record<string, 'everything' | 'search'>>;
  readonly maxBodyBytes?: number;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export async function startStandIn({ keys, maxBodyBytes = 100e6 }: StandInOptions = {}): Promise<StandIn> {
  const indexes = new Map<string, StoredIndex>();
  const tasks = new Tasks();
  const requests: string[] = [];
  const encodings = new Set<string>();
  let failure: Answer | null = null;
  const server = createServer((incoming, response) => {
    void (async () => {
      const { status, body } = await answered(incoming);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    })();
  });

  async function answered(incoming: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stand-in');
    const method = incoming.method ?? 'GET';
    requests.push(`${method} ${pathname}`);
    encodings.add(String(incoming.headers['accept-encoding']));
    try {
      const text = await read(incoming, maxBodyBytes);
      if (failure) return failure;
      authorize(keys, method, pathname, incoming.headers.authorization);
      const body = text === '' ? undefined : (JSON.parse(text) as unknown);
      return route({ method, path: pathname, query: searchParams, body });
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown;
      return { status: thrown.status, body: thrown.told };
    }
  }

  function route({ method, path, query, body }: Request): Answer {
    const [, root, name = '', leaf, action] = path.split('/');
    const at = [method, root, name && '*', leaf, action].filter(Boolean).join(' ');
    switch (at) {
      case 'GET health':
        return ok({ status: 'available' });
      case 'GET version':
        return ok({ pkgVersion: STAND_IN });
      case 'GET tasks *':
        return ok(tasks.get(Number(name)));
      case 'POST multi-search':
        return ok({ results: (body as Queries).queries.map((one) => named(one.indexUid).search(one)) });
      case 'GET indexes':
        return ok(page([...indexes.keys()].toSorted(), query));
      case 'POST indexes': {
        const { uid } = body as { readonly uid: string };
        return accepted('indexCreation', uid, body, () => {
          if (!indexes.has(uid)) return void made(uid);
          throw new Problem(409, 'index_already_exists', `Index \`${uid}\` already exists.`);
        });
      }
      case 'DELETE indexes *':
        return accepted('indexDeletion', name, body, () => {
          if (!indexes.delete(name)) throw indexNotFound(name);
        });
      case 'GET indexes * settings':
        return ok(named(name).settings);
      case 'PATCH indexes * settings':
        return accepted('settingsUpdate', name, body, () => made(name).configure(body as Partial<Settings>));
      case 'POST indexes * documents':
        return accepted('documentAdditionOrUpdate', name, body, () =>
          made(name).add(body as readonly Document[]),
        );
      case 'POST indexes * documents delete-batch':
        return accepted('documentDeletion', name, body, () => named(name).remove(body as readonly string[]));
      case 'POST indexes * search':
        return ok(named(name).search(body as SearchRequest));
      default:
        throw new Problem(404, 'not_found', `The stand-in has no ${method} ${path}.`);
    }
  }

  function accepted(type: string, uid: string, details: unknown, work: () => void): Answer {
    if (!/^[a-zA-Z0-9_-]{1,400}$/.test(uid)) {
      throw new Problem(400, 'invalid_index_uid', `\`${uid}\` is not a valid index uid.`);
    }
    return { status: 202, body: tasks.accept(type, uid, details, work) };
  }

  function named(uid: string): StoredIndex {
    const index = indexes.get(uid);
    if (!index) throw indexNotFound(uid);
    return index;
  }

  /** Meilisearch makes the index that documents or settings come for. */
  function made(uid: string): StoredIndex {
    const index = indexes.get(uid) ?? new StoredIndex(uid);
    indexes.set(uid, index);
    return index;
  }

  const listening = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${listening.port}`,
    tasks,
    requests,
    encodings,
    lose(uid) {
      indexes.delete(uid);
    },
    failWith(answer) {
      failure = answer;
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

interface Queries {
  readonly queries: readonly (SearchRequest & { readonly indexUid: string })[];
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function page(uids: readonly string[], query: URLSearchParams): object {
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 20)];
  const results = uids.slice(offset, offset + limit).map((uid) => ({ uid, primaryKey: 'id' }));
  return { results, offset, limit, total: uids.length };
}

function authorize(
  keys: StandInOptions['keys'],
  method: string,
  path: string,
  header: string | undefined,
): void {
  if (!keys || path === '/health') return;
  const key = header?.replace('Bearer ', '') ?? '';
  if (key === '')
    throw new Problem(401, 'missing_authorization_header', 'The Authorization header is missing.', 'auth');
  const isSearch = method === 'POST' && (path === '/multi-search' || path.endsWith('/search'));
  if (keys[key] === 'everything' || (keys[key] === 'search' && isSearch)) return;
  throw new Problem(403, 'invalid_api_key', 'The provided API key is invalid.', 'auth');
}

async function read(incoming: IncomingMessage, maxBodyBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  if (body.length <= maxBodyBytes) return body.toString();
  throw new Problem(413, 'payload_too_large', `The provided payload exceeded ${maxBodyBytes} bytes.`);
}
