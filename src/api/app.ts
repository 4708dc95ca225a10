import type { RequestListener } from 'node:http';

import type { IRouter, Request, Response } from 'express';

import type { Keys } from '../access/keys/keys.ts';
import type { Quota } from '../access/quota/quota.ts';
import { DEFAULT_POLICY, type Policy } from '../monitor/policy.ts';
import { createPoll } from '../monitor/reading/poll-monitor.ts';
import { createStatusReader, type StatusReader } from '../monitor/reading/status-reader.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Registry } from '../platform/metrics-registry.ts';
import type { Documents } from '../stores/documents/port.ts';
import { ALIAS_MS, type ReadAlias } from '../stores/aliases.ts';
import type { Synonyms } from '../stores/search/query/synonyms.ts';
import type { Search } from '../stores/search/port.ts';
import { createSampleSign } from '../stores/sample-sign.ts';
import { limitedDocuments, STORE_LIMIT_MS } from '../stores/time-limit.ts';
import { countDocumentReads } from './count-document-reads.ts';
import { type AccessLog, createAccessLog } from './http/access-log.ts';
import { createAccess } from './http/check-key-and-quota.ts';
import { createAnswer } from './http/answer-request.ts';
import { addressBehind, bareExpress, bareRouter } from './http/bare-express.ts';
import { createOutage } from './http/outage-log.ts';
import { createRefusals, type Refusals } from './http/refusal-response-text.ts';
import { createResponseCache } from './http/response/response-cache.ts';
import { createSend } from './http/response/send.ts';
import { openApi } from './openapi/document.ts';
import { type AccountPages, createAccountPages } from './pages/account/answer-account-request.ts';
import { pageRoutes } from './pages/pages.ts';
import { readAssets } from './pages/shell/assets.ts';
import { createCatalogReader } from './reading/catalog-reader.ts';
import type { AccountParts } from './pages/account/account-context.ts';
import { LOCALES } from '../texts/texts.ts';
import type { PathParts, RouteContext } from './route.ts';
import { ROUTES } from './routes.ts';
import { publicStatus } from './routes/status.ts';

/** The API as a value that never listens; server.ts does. */
export interface Api {
  /** Answers a request, whatever it asks for. */
  readonly handle: RequestListener;
  /** What is said to requests that never become one: refused by the parser or its limits. */
  readonly refusals: Refusals;
  /** Told of those too; ended with the server. */
  readonly accessLog: AccessLog;
}

export interface ApiOptions {
  readonly documents: Documents;
  readonly live: ReadAlias;
  readonly search: Pick<Search, 'query'>;
  readonly keys: Pick<Keys, 'check'>;
  /** The pages of accounts, where this process serves them. */
  readonly accounts?: Pick<AccountParts, 'accounts' | 'keys' | 'formSecret' | 'oidc'>;
  /** Whether another process serves them at the same host, so that pages lead there. Default false. */
  readonly hasAccountsElsewhere?: boolean;
  readonly quota: Pick<Quota, 'limit' | 'take' | 'giveBack'>;
  /** Entity tags are made under it: the same for all instances, and nobody else's to know. */
  readonly tagSecret: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Absolute links begin with it; without a slash at its end. A function where it is known only once it listens. */
  readonly publicUrl: string | (() => string);
  /** Addresses and subnets of proxies whose word counts for the address of whoever asks. Default none. */
  readonly trustedProxies?: readonly string[];
  /** The numbers of the monitor's rules. Default `DEFAULT_POLICY`. */
  readonly monitorPolicy?: Policy;
  /** What else things are called, in queries. Default: the shipped ones. */
  readonly synonyms?: Synonyms;
  /** How old what an answer says of a document may be, in milliseconds. Default `ALIAS_MS`. */
  readonly confirmMs?: number;
  /** How long a request waits for all stores together, in milliseconds. Default 2,000. */
  readonly storeLimitMs?: number;
  /**
   * The bound of cached documents, and once more of responses, in bytes. A quarter of it more bounds what is kept of pages.
   * Default 32 MiB.
   */
  readonly cacheBytes?: number;
  /** For tests: without caches every request reads all that it needs, whatever the numbers above say. Default true. */
  readonly hasCaches?: boolean;
}

const WITHOUT_CACHES = { confirmMs: 0, cacheBytes: 0 };

/** Before the routes of pages, the last of which answers whatever else is asked for below a language. */
function routeAccounts(router: IRouter, account: AccountPages, trustedProxies?: readonly string[]): void {
  for (const locale of LOCALES) {
    const app = bareExpress(trustedProxies);
    app.use((request: Request, response: Response) => account(request, response, locale));
    router.all([`/${locale}/account`, `/${locale}/account/*rest`], app);
  }
}

/** With what its answers read the state of the platform from. */
export function createApi(options: ApiOptions): Api & { readonly status: StatusReader } {
  const { live, search, keys, quota, clock, logger, publicUrl: given } = options;
  const publicUrl = typeof given === 'string' ? () => given : given;
  const { hasCaches = true, storeLimitMs = STORE_LIMIT_MS } = options;
  const { confirmMs = ALIAS_MS, cacheBytes = 32 * 2 ** 20 } = hasCaches ? options : WITHOUT_CACHES;
  const { monitorPolicy: policy = DEFAULT_POLICY } = options;
  const limited = limitedDocuments(options.documents, storeLimitMs);
  const documents = countDocumentReads(limited, options.metrics);
  const common = { live, policy, clock, logger, confirmMs, storeLimitMs };
  const { synonyms } = options;
  const reading = createCatalogReader({ ...common, documents, search, synonyms, maxBytes: cacheBytes });
  const poll = createPoll({ ...common, documents: options.documents });
  const status = createStatusReader({ ...common, poll });
  const sample = createSampleSign({ documents, clock, confirmMs });
  const responses = createResponseCache(cacheBytes, options.tagSecret);
  const context: RouteContext = {
    reading,
    status,
    sample,
    responses,
    get publicUrl() {
      return publicUrl();
    },
  };
  const access = createAccess({ keys, quota, logger });
  const accessLog = createAccessLog(logger, options.metrics, clock);
  const send = createSend(publicUrl);
  const outage = createOutage(clock, logger, options.metrics);
  const { record } = accessLog;
  const answer = createAnswer({
    context,
    access,
    addressOf: addressBehind(options.trustedProxies),
    send,
    record,
    outage,
    clock,
    logger,
    limit: quota.limit,
    storeLimitMs,
  });

  const assets = readAssets();
  const pages = pageRoutes({
    assets,
    hasAccounts: options.accounts !== undefined || (options.hasAccountsElsewhere ?? false),
    sample,
    responses: createResponseCache(cacheBytes / 4, options.tagSecret),
    documents,
    clock,
    dailyLimit: quota.limit,
    policy,
  });

  const router = bareRouter();
  if (options.accounts) {
    const account = createAccountPages({
      ...options.accounts,
      dailyLimit: quota.limit,
      clock,
      logger,
      record,
      assets,
      home: () => ({ url: publicUrl(), isConfigured: typeof given === 'string' }),
    });
    routeAccounts(router, account, options.trustedProxies);
  }
  for (const route of [...ROUTES, publicStatus, openApi, ...pages]) {
    // One handler for all methods, instead of one for each.
    router.route(route.path).all((request: Request, response: Response) => {
      // Express types a part of the path as text or a list; only wildcards, which no route has, make lists.
      void answer(request, response, { route, path: request.params as PathParts });
    });
  }
  // Not a last handler in its list: an address without a path (`http://`) comes to none of those.
  const handle: RequestListener = (request, response) => {
    // Of what Express adds, answers use the parts of the path alone, which its router sets.
    const [asked, answered] = [request as Request, response as Response];
    router(asked, answered, (thrown?: unknown) => void answer(asked, answered, { route: null, thrown }));
  };

  return {
    handle,
    refusals: createRefusals(publicUrl, quota.limit, clock),
    accessLog,
    status,
  };
}
