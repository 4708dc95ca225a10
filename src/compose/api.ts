import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { createQuota } from '../access/quota/quota.ts';
import { createApi } from '../api/app.ts';
import { listen } from '../api/http/server.ts';
import { createReadiness, type Readiness } from '../api/readiness.ts';
import { localUrl } from '../config.ts';
import { composeAccountPages, composeKeys } from './keys-and-accounts.ts';
import type { Parts } from './parts.ts';
import { SUMMARIES } from '../monitor/reading/stored-hour-summaries.ts';
import { Gauge, type Registry } from '../platform/metrics-registry.ts';
import { repeat } from '../platform/time/repeat.ts';
import { BUILDS } from '../stores/builds.ts';
import { FEED_LEASES } from '../stores/feed-lease.ts';
import { LAGS } from '../stores/lag-notes.ts';
import { ALIASES, readAlias } from '../stores/aliases.ts';
import { createHeart } from '../stores/heartbeats.ts';
import {
  refuseUnservable,
  RENDERERS,
  servableVersions,
  type Renderer,
  type ServableVersions,
} from '../stores/serving-processes.ts';
import { withoutWaiting, type Wait } from './retry-start-up.ts';

export type RunningApi = Awaited<ReturnType<typeof serveApi>>;

/** Whether the pages of accounts are served by this process, by another one at the same host, or not at all. */
type AccountsAt = 'here' | 'elsewhere' | 'nowhere';

/**
 * Builds the API on the configured stores and listens; `wait` is how a store that cannot be reached yet is waited for.
 * The monitor's state is read before it returns, or for 2 s; reading goes on after that.
 * Disposing it answers the requests in hand first.
 */
export async function serveApi(
  parts: Parts,
  wait: Wait = withoutWaiting,
  accountsAt: AccountsAt = 'nowhere',
) {
  const { config, clock, logger, registry, dailyLimit: limit } = parts;
  await using building = new AsyncDisposableStack();
  await wait('the documents store', async () => {
    for (const collection of [ALIASES, BUILDS, LAGS, FEED_LEASES, SUMMARIES])
      await parts.documents.declare(collection);
  });
  const keys = await wait('the keys in the documents store', () => composeKeys(parts));
  const pages = accountsAt === 'here' ? await composeAccountPages(parts, keys, wait) : null;
  const { documents, search, projections, earlier } = parts;
  const renders = servableVersions([...projections, ...earlier]);
  building.use(await wait('the documents store', () => startRendererHeartbeat(parts, renders)));
  const quota = building.use(createQuota({ documents, clock, logger, limit }));
  await wait('the quota in the documents store', () => quota.declare());
  const live = refuseUnservable((name) => readAlias(documents, name), renders);
  const { monitorPolicy, port, host, keepAliveMs, synonyms } = config;
  let boundPort = port;
  const api = createApi({
    documents,
    live,
    search,
    keys,
    quota,
    ...(pages === null ? {} : { accounts: pages }),
    hasAccountsElsewhere: accountsAt === 'elsewhere',
    tagSecret: keys.secretFor('entity tags'),
    clock,
    logger,
    metrics: registry,
    publicUrl: config.publicUrl ?? (() => localUrl(boundPort)),
    monitorPolicy,
    ...(synonyms === null ? {} : { synonyms }),
    trustedProxies: config.trustedProxies,
  });
  const readModels = projections.map(({ name }) => name);
  const checks = createReadiness({ documents, live, search, quota, clock, readModels });
  showReadiness(checks, registry);
  const listening = building.use(await listen(api, { port, host, limits: { keepAliveMs } }));
  boundPort = listening.port;
  // A start may take as long as a request for it: who asks then is not told that nothing is known.
  await api.status.current();
  const open = building.move();
  return {
    /** Where it listens; without a slash at its end. */
    url: listening.url,
    keys,
    /** null where the account pages are served elsewhere, or nowhere. */
    accounts: pages?.accounts ?? null,
    /** What `/readyz` asks, by name. */
    checks,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Asked when the metrics are read, so that they say what `/readyz` would. */
export function showReadiness(checks: Readiness, registry: Registry): void {
  const ready = new Gauge({
    name: 'catalog_api_ready',
    help: '1 where this check of the API says that it is ready and not degraded: documents or search; else 0.',
    labelNames: ['check'] as const,
    registers: [registry],
    collect: async () => {
      const names = ['documents', 'search'] as const;
      const found = await Promise.all(names.map((check) => checks[check]()));
      for (const [index, { ok, degraded = false }] of found.entries())
        ready.set({ check: names[index] ?? '' }, ok && !degraded ? 1 : 0);
    },
  });
}

/** A process that has missed several turns is not there any more: five of them. */
const BEAT_MS = 3000;

/**
 * Says every few seconds which versions of the read models this process can serve, so that none is made live that it
 * cannot. Rejects where it cannot be said the first time; after that a failure is logged once, and made good by the next turn.
 */
export async function startRendererHeartbeat(
  parts: Pick<Parts, 'documents' | 'clock' | 'logger'>,
  renders: ServableVersions,
): Promise<AsyncDisposable> {
  const body = () => ({ where: `${hostname()}:${process.pid}`, renders });
  const beating = new AsyncDisposableStack();
  const heart = beating.use(createHeart<Renderer>(parts, RENDERERS, randomUUID()));
  await heart.beat(body);
  beating.use(repeat(parts.clock, BEAT_MS, () => heart.tryBeat(body)));
  return beating;
}
