import { createServer } from 'node:http';

import { createAdmin } from '../../src/admin/app.ts';
import { createOperatorPages } from '../../src/admin/operator/pages.ts';
import type { Standing } from '../../src/admin/operator/visit.ts';
import type { Act } from '../../src/operating/acts.ts';
import type { Overview, ParkedSummary, ParkedWhole } from '../../src/operating/overview.ts';
import type { Operator } from '../../src/operating/thread/start.ts';
import { listenOn, type Listening } from '../../src/platform/listening.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestClock } from './test-clock.ts';

export const SECRET = 'a-secret-of-operators';
const AT = '2026-11-20T10:00:00.000Z';

export interface OperatorSite extends Listening {
  /** What was asked for, in order. */
  readonly acts: readonly Act[];
  readonly logged: readonly string[];
  /** Sends a form as a browser does from a page of the site, with what is given in the place of that. */
  send(
    path: string,
    form: Readonly<Record<string, string>>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Says the secret, and gives the cookie and the token of forms. */
  unlock(): Promise<{ readonly cookie: string; readonly csrf: string }>;
}

export function parkedEvent(written: Partial<ParkedWhole> = {}): ParkedWhole {
  return {
    id: 'listings@1/catalog.entries/0/17',
    code: 'unknown_version',
    type: 'catalog.entry.published.v9',
    subject: 'ai-news',
    source: '/catalog',
    reason: 'Version 9 is not known here.',
    parkedAt: AT,
    redrives: 0,
    state: 'parked',
    key: 'ai-news',
    headers: '{}',
    value: '{"data":1}',
    bytes: 10,
    ...written,
  };
}

/** What a projector's thread would tell of a small installation in which all kinds of things stand. */
export function overviewWith(parked: readonly ParkedSummary[]): Overview {
  const lane = {
    owner: 'vm:1',
    epoch: 1,
    live: { where: 'vm:1', state: 'running', for_ms: 1000, reason: null },
    waits_for_transaction: false,
    position: 90,
    earliest: 0,
    latest: 100,
    lag: 10,
    lag_ms: 65_000,
    halted: null,
    counts: null,
  } as const;
  const version = {
    read_model: 'listings',
    documents: 1200,
    bytes: 1,
    records: 90,
    fold: 'f',
    began_at: AT,
    complete_since: AT,
    verified_at: null,
    digest: null,
    servers: 1,
  };
  return {
    at: AT,
    status: {
      value: {
        findings: [
          {
            severity: 'problem',
            code: 'paused',
            subject: 'listings@1/catalog.entries/0',
            message: 'paused by vm:1',
          },
        ],
        read_models: [],
        workers: [],
        halted: [],
        parked: parked.length,
        parked_by: parked.map(({ code }) => ({
          read_model: 'listings@1',
          topic: 'catalog.entries',
          code,
          count: 1,
        })),
        rejections: { announced: true, trouble: null },
        search: [
          {
            index: 'listings@1',
            waiting: 3,
            confirming: 0,
            behind_ms: 5000,
            refused: 1,
            refusals: [{ document: 'a', reason: 'too long' }],
            fed: true,
            filling: false,
            trouble: null,
          },
        ],
        lanes: [
          { lane: 'listings@1/catalog.entries/0', ...lane },
          { lane: 'listings@2/catalog.entries/0', ...lane },
        ],
      },
    },
    versions: {
      value: [
        { ...version, build: 'listings@1', state: 'live' },
        { ...version, build: 'listings@0', state: 'before' },
        { ...version, build: 'listings@2', state: 'ready' },
        { ...version, build: 'listings@2-b2', state: 'building', complete_since: null },
      ],
    },
    parked: { value: parked },
    quota: {
      value: {
        day: '2026-11-20',
        limit: 1000,
        accounts: 2,
        more: false,
        asking: 1,
        requests: 1000,
        full: 1,
        busiest: [{ place: 'acme/1', requests: 1000 }],
      },
    },
    verification: { value: { last: null, ended: null } },
    acts: {
      value: [
        {
          id: 'a',
          kind: 'redrive',
          subject: 'listings@1/catalog.entries/0/3',
          at: AT,
          where: 'vm:1',
          state: 'done',
          heard: 0,
          done: 1,
          total: 1,
          said: '1 redriven, 0 still rejected, 0 gone of 1.',
        },
      ],
    },
  };
}

/** The pages over a stand-in for the projector's thread, which does nothing but remember what it was asked for. */
export async function runOperatorSite({
  secret = SECRET,
  standing = 'projects',
  events = [parkedEvent()],
}: {
  readonly secret?: string | null;
  readonly standing?: Standing;
  readonly events?: readonly ParkedWhole[];
} = {}): Promise<OperatorSite & { readonly clock: ReturnType<typeof createTestClock> }> {
  const acts: Act[] = [];
  const logged: string[] = [];
  const clock = createTestClock();
  const operator: Operator = {
    overview: async () => overviewWith(events),
    parked: async (id) => events.find((one) => one.id === id) ?? null,
    act: async (act) => {
      acts.push(act);
      return 'ended';
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const logger = createLogger('trace', 'test', { write: (line: string) => void logged.push(line) });
  const app = createAdmin({
    checks: { documents: () => ({ ok: true, detail: 'serving listings@1' }) },
    metrics: async () => '',
    operatorPages: (judged) => createOperatorPages({ standing, judged, operator, secret, clock, logger }),
  });
  const listening = await listenOn(createServer(app), { port: 0, host: '127.0.0.1', variable: 'ADMIN_PORT' });
  const { url } = listening;
  const send: OperatorSite['send'] = (path, form, headers = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: url, 'Sec-Fetch-Site': 'same-origin', ...headers },
      body: new URLSearchParams(form),
    });
  return {
    ...listening,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
    acts,
    logged,
    clock,
    send,
    unlock: async () => {
      const response = await send('/en/sign-in', { secret: SECRET });
      const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
      const page = await (await fetch(`${url}/en`, { headers: { cookie } })).text();
      return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '' };
    },
  };
}
