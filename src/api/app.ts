import type { RequestListener } from 'node:http';

import type { Express, Request, Response } from 'express';

import type { Keys } from '../access/keys/keys.ts';
import type { Quota } from '../access/quota/quota.ts';
import { DEFAULT_POLICY, type Policy } from '../monitor/policy.ts';
import { createPoll } from '../monitor/reading/snapshot.ts';
import { createStatusReader } from '../monitor/reading/status.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Registry } from '../platform/metrics.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { Live } from '../stores/live.ts';
import type { Search } from '../stores/search/port.ts';
import { limitedDocuments, STORE_LIMIT_MS } from '../stores/time-limit.ts';
import { type AccessLog, createAccessLog } from './http/access-log.ts';
import { createAccess } from './http/access.ts';
import { createAnswer } from './http/answer.ts';
import { bareExpress } from './http/express.ts';
import { createOutage } from './http/outage.ts';
import { createRefusals, type Refusals } from './http/refusals.ts';
import { createRenderings } from './http/renderings.ts';
import { createSend } from './http/send.ts';
import { openApi } from './openapi/document.ts';
import { pageRoutes } from './pages/pages.ts';
import { createReading } from './reading/reading.ts';
import type { RouteContext } from './route.ts';
import { ROUTES } from './routes.ts';
import { publicStatus } from './routes/status.ts';

/** The API as a value that never listens; server.ts does. */
export interface Api {
  /** Answers a request, whatever it asks for. */
  readonly handle: RequestListener;
  /** Express, whose classes requests and responses are of. */
  readonly app: Express;
  /** What is said to requests that never become one: refused by the parser or its limits. */
  readonly refusals: Refusals;
  /** Told of those too; ended with the server. */
  readonly accessLog: AccessLog;
}

export interface ApiOptions {
  readonly documents: Documents;
  readonly live: Pick<Live, 'read'>;
  readonly search: Pick<Search, 'query'>;
  readonly keys: Pick<Keys, 'check'>;
  readonly quota: Pick<Quota, 'limit' | 'take' | 'giveBack'>;
  /** Entity tags are made under it: the same for all instances, and nobody else's to know. */
  readonly tagSecret: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Absolute links begin with it; without a slash at its end. A function where it is known only once it listens. */
  readonly publicUrl: string | (() => string);
  /** The numbers of the monitor's rules. Default `DEFAULT_POLICY`. */
  readonly monitorPolicy?: Policy;
  /** How long a confirmation of a cached document counts, in milliseconds. Default 500. */
  readonly confirmMs?: number;
  /** How long a request waits for all stores together, in milliseconds. Default 2,000. */
  readonly storeLimitMs?: number;
  /** The bound of cached documents, and once more of rendered bodies, in bytes. Default 32 MiB. */
  readonly cacheBytes?: number;
}

export function createApi(options: ApiOptions): Api {
  const { live, search, keys, quota, clock, logger, publicUrl: given } = options;
  const publicUrl = typeof given === 'string' ? () => given : given;
  const { confirmMs = 500, storeLimitMs = STORE_LIMIT_MS, cacheBytes = 32 * 2 ** 20 } = options;
  const { monitorPolicy: policy = DEFAULT_POLICY } = options;
  const documents = limitedDocuments(options.documents, storeLimitMs);
  const common = { live, policy, clock, logger, confirmMs, storeLimitMs };
  const reading = createReading({ ...common, documents, search, maxBytes: cacheBytes });
  const poll = createPoll({ ...common, documents: options.documents });
  const status = createStatusReader({ ...common, poll });
  const renderings = createRenderings(cacheBytes, options.tagSecret);
  const context: RouteContext = {
    reading,
    status,
    renderings,
    get publicUrl() {
      return publicUrl();
    },
  };
  const access = createAccess({ keys, quota, logger });
  const accessLog = createAccessLog(logger, options.metrics, clock);
  const send = createSend(publicUrl);
  const answer = createAnswer({
    context,
    access,
    send,
    tell: accessLog.tell,
    outage: createOutage(clock, logger, options.metrics),
    clock,
    logger,
    limit: quota.limit,
    storeLimitMs,
  });

  const pages = pageRoutes({ dailyLimit: quota.limit, policy });

  const app = bareExpress();
  for (const route of [...ROUTES, publicStatus, openApi, ...pages]) {
    app.all(route.path, (request: Request, response: Response) => answer(request, response, route));
  }
  // Not a last handler in its list: an address without a path (`http://`) comes to none of those.
  const handle: RequestListener = (request, response) => {
    // Express makes them its own before it calls back.
    const [asked, answered] = [request as Request, response as Response];
    app(asked, answered, (thrown?: unknown) => void answer(asked, answered, null, thrown));
  };

  return {
    handle,
    app,
    refusals: createRefusals({ publicUrl, limit: quota.limit, clock }),
    accessLog,
  };
}
