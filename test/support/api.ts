import { join } from 'node:path';

import { createAccounts, type Accounts } from '../../src/access/accounts/sign-in.ts';
import { createKeys, type Keys } from '../../src/access/keys/keys.ts';
import { DAY_MS } from '../../src/platform/time/instant.ts';
import { createQuota, type Quota } from '../../src/access/quota/quota.ts';
import { createApi, type Api, type ApiOptions } from '../../src/api/app.ts';
import type { Oidc } from '../../src/api/pages/account/oidc/code-flow.ts';
import { listen, type ListenApiOptions } from '../../src/api/http/server.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { systemClock, type Clock } from '../../src/platform/time/clock.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createMetrics } from '../../src/platform/metrics-registry.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { readAlias } from '../../src/stores/aliases.ts';
import type { Search } from '../../src/stores/search/port.ts';
import { faulty, type Faulty } from './faulty.ts';
import { openFolded } from './read-models.ts';
import { expectDocumented } from './openapi-validation.ts';
import { SQLITE_SEARCH, type SearchEngine } from './search-engine.ts';
import { temporaryFolder } from './folder.ts';
import { HAS_CACHES } from './caches.ts';
import { published } from './events.ts';

/** The API on real stores, embedded ones if no other is asked for, real keys and a real quota, listening on a free port. */
export interface RunningApi extends AsyncDisposable {
  readonly api: Api;
  readonly port: number;
  readonly url: string;
  readonly key: string;
  readonly keys: Keys;
  readonly accounts: Accounts;
  readonly documents: Faulty<Documents>;
  readonly search: Faulty<Search>;
  readonly clock: MovableClock;
  /** Everything that was logged, a line each. */
  readonly log: readonly string[];
  readonly metrics: () => Promise<string>;
  /** Folds events into documents, as the projector would, and says that nothing is left to be folded. */
  project(...events: readonly CloudEvent[]): Promise<void>;
  /** Folds events into documents alone: the index is behind until it is fed. */
  fold(...events: readonly CloudEvent[]): Promise<void>;
  feed(): Promise<void>;
  /** Asks below `/api/v1` with the good key, and holds the answer to the OpenAPI document. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** One more instance on the same stores, with a memory and a connection to the documents of its own. */
  another(): Promise<Instance>;
}

export interface Instance {
  readonly url: string;
  readonly documents: Faulty<Documents>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; what it holds is for the test to say. */
  readonly body: Body;
}

export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly docs: string };
}

export interface Body extends Partial<ErrorBody> {
  readonly [field: string]: unknown;
  readonly items?: readonly { readonly slug: string; readonly [field: string]: unknown }[];
  readonly total?: number;
}

export type RunOptions = Partial<
  Pick<ApiOptions, 'confirmMs' | 'storeLimitMs' | 'cacheBytes' | 'trustedProxies'>
> &
  Partial<Pick<ListenApiOptions, 'limits'>> & {
    readonly dailyLimit?: number;
    /** SQLite if absent. */
    readonly engine?: SearchEngine;
    /** The provider of identities; none if absent. */
    readonly oidc?: Oidc;
    /** Whether it serves the account pages itself, which it does if this is absent, or leads to those of a process apart. */
    readonly accountsAt?: 'here' | 'elsewhere';
    /** Any free one if absent. */
    readonly port?: number;
    /** `PUBLIC_URL` if absent. */
    readonly publicUrl?: string;
    /**
     * The time at which it begins, Unix milliseconds. If absent it is noon of today, so that no day of the quota ends within a
     * test.
     */
    readonly at?: number;
  };

export const PUBLIC_URL = 'https://catalog.example';

/** `events` are projected before anybody asks. */
export async function runApi(
  {
    dailyLimit = 1000,
    engine = SQLITE_SEARCH,
    limits,
    at,
    port: ownPort = 0,
    oidc,
    accountsAt = 'here',
    ...options
  }: RunOptions = {},
  ...events: readonly CloudEvent[]
): Promise<RunningApi> {
  const opened = new AsyncDisposableStack();
  const folder = temporaryFolder();
  const clock = movableClock(at);
  const store = opened.use(openSqliteDocuments(join(folder, 'documents.db'), { clock }));
  const index = opened.use(engine.open(join(folder, 'search.db')));
  const documents = faulty(store);
  const search = faulty(index);
  const registry = createMetrics();
  const log: string[] = [];
  const logger = createLogger('debug', 'test', { write: (line) => void log.push(line) });
  const { fold, feed, project } = await openFolded(store, index, clock);
  const openAccess = (on: Documents): { readonly keys: Keys; readonly quota: Quota } => ({
    keys: createKeys({ documents: on, pepper: 'a pepper of tests', clock, logger }),
    quota: opened.use(createQuota({ documents: on, clock, limit: dailyLimit, logger })),
  });
  const { keys, quota } = openAccess(documents);
  await keys.declare();
  await quota.declare();
  const created = await keys.create('tests');
  if (created.outcome !== 'created') throw new Error('No key was made');
  const { key } = created;
  const accounts = createAccounts({ documents, secret: keys.secretFor('sessions'), logger });
  await accounts.declare();
  const live = (name: string) => readAlias(documents, name);
  const tagSecret = keys.secretFor('entity tags');
  const common = { clock, logger, publicUrl: PUBLIC_URL, hasCaches: HAS_CACHES, ...options };
  const accountParts = { accounts, keys, formSecret: keys.secretFor('forms'), oidc };
  const accountPages =
    accountsAt === 'here' ? { accounts: accountParts } : ({ hasAccountsElsewhere: true } as const);
  const parts = { documents, live, search, keys, quota, tagSecret, ...accountPages, ...common };
  const api = createApi({ ...parts, metrics: registry });
  const listenTo = async (one: Api, onPort = 0) =>
    opened.use(
      await listen(one, {
        port: onPort,
        host: '127.0.0.1',
        drainMs: 1000,
        // Test and server share a thread: where it is blocked for seconds, a connection that stood idle meanwhile would
        // be closed under the next request.
        limits: { keepAliveMs: 600_000, ...limits },
      }),
    );
  const listening = await listenTo(api, ownPort);
  const { port, url } = listening;
  if (events.length > 0) await project(...events);
  return {
    api,
    port,
    url,
    key,
    keys,
    accounts,
    documents,
    search,
    clock,
    log,
    metrics: () => registry.metrics(),
    project,
    fold,
    feed,
    get: async (asked, headers = {}) => {
      const response = await fetch(`${url}/api/v1${asked}`, { headers: { 'x-api-key': key, ...headers } });
      const body = await expectDocumented(response, asked);
      return { status: response.status, headers: response.headers, body: (body ?? {}) as Body };
    },
    another: async () => {
      const own = faulty(store);
      const apart = {
        ...parts,
        documents: own,
        live: (name: string) => readAlias(own, name),
        ...openAccess(own),
      };
      const { url: itsUrl } = await listenTo(createApi({ ...apart, metrics: createMetrics() }));
      return { url: itsUrl, documents: own };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** An API whose key has used up its day. */
export async function runUsedUp(): Promise<RunningApi> {
  const api = await runApi({ dailyLimit: 1 }, published());
  await api.get('/top');
  return api;
}

/** The real time, moved; the store's clock goes with it. */
export interface MovableClock extends Clock {
  /** How much more time has passed than really has. */
  movedMs: number;
  /** How far the wall time has been set on, or back, besides. */
  jumpedMs: number;
}

function noonOfToday(): number {
  const now = systemClock.now();
  return now - (now % DAY_MS) + DAY_MS / 2;
}

function movableClock(at = noonOfToday()): MovableClock {
  return {
    movedMs: 0,
    jumpedMs: at - systemClock.now(),
    now() {
      return systemClock.now() + this.movedMs + this.jumpedMs;
    },
    monotonic() {
      return systemClock.monotonic() + this.movedMs;
    },
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };
}
