import { createQuota } from '../access/quota.ts';
import type { Keys } from '../access/keys.ts';
import { createApi, type Api } from '../api/app.ts';
import { listen } from '../api/http/server.ts';
import { localUrl } from '../config.ts';
import { composeKeys } from './access.ts';
import type { Parts } from './parts.ts';
import { SUMMARIES } from '../api/reading/status/kept-summaries.ts';
import { LEASES } from '../stores/leases.ts';
import { LAGS } from '../stores/lag.ts';
import { ALIASES, openLive } from '../stores/live.ts';

export interface RunningApi extends AsyncDisposable {
  /** Where it listens; without a slash at its end. */
  readonly url: string;
  readonly keys: Keys;
  readonly check: Api['check'];
}

/** Builds the API on the configured stores and listens. Disposing it answers the requests in hand first. */
export async function serveApi(parts: Parts): Promise<RunningApi> {
  const { config, documents, search, clock, logger, registry, dailyLimit: limit } = parts;
  await using building = new AsyncDisposableStack();
  for (const collection of [ALIASES, LEASES, LAGS, SUMMARIES]) await documents.declare(collection);
  const keys = await composeKeys(parts);
  const quota = building.use(createQuota({ documents, clock, logger, metrics: registry, limit }));
  await quota.declare();
  const live = openLive(documents);
  const { monitorPolicy, port, host } = config;
  let boundPort = port;
  const api = createApi({
    documents,
    live,
    search,
    keys,
    quota,
    clock,
    logger,
    metrics: registry,
    publicUrl: config.publicUrl ?? (() => localUrl(boundPort)),
    monitorPolicy,
  });
  const listening = building.use(await listen(api, { port, host }));
  boundPort = listening.port;
  const open = building.move();
  return {
    url: listening.url,
    keys,
    check: () => api.check(),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
