import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';

import type { Health } from '../findings/findings-to-readiness.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { withTimeLimit } from '../stores/time-limit.ts';
import { allowedHosts, type IsAllowedHost } from './host-check.ts';

/** What an operator sees of a process. It listens on a port of its own, by default on the loopback address alone. */
export interface AdminOptions {
  /** What must be well for the process to be ready, by name; looked at at each request, so more may be added. */
  readonly checks: Readonly<Record<string, Check>>;
  /** Prometheus text of all registries of the process. */
  readonly metrics: () => Promise<string>;
  /** The operator page: what it does not know is 404. `readHealth` says what `/readyz` would. */
  readonly operatorPages?: (readHealth: () => Promise<readonly NamedHealth[]>) => RequestHandler;
  /** Default: the loopback names alone. */
  readonly isAllowedHost?: IsAllowedHost;
  /** Told of faults of ours. Default: nobody. */
  readonly logger?: Pick<Logger, 'error'>;
  /** How long one check may take before it counts as failed, in milliseconds. Default 2,000. */
  readonly checkLimitMs?: number;
}

export type Check = () => Health | Promise<Health>;

export interface NamedHealth extends Health {
  readonly name: string;
}

/**
 * - `/livez`: 200 for as long as the process answers at all.
 * - `/readyz`: 200 where every check is well, else 503; the body names each check in both cases, and the degraded ones.
 * - `/metrics`: for Prometheus.
 * - `/`, and what lies below a language: the operator page.
 *
 * 421 to a `Host` that is not allowed, whatever it asks for.
 */
export function createAdmin({
  checks,
  metrics,
  operatorPages,
  isAllowedHost = LOOPBACK_ALONE,
  logger,
  checkLimitMs = CHECK_LIMIT_MS,
}: AdminOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.use((request, response, next) => {
    if (isAllowedHost(request.headers.host)) next();
    else response.status(421).json({ ok: false, detail: FOREIGN_HOST });
  });
  app.get('/livez', (_request, response) => {
    response.json({ ok: true });
  });
  app.get('/readyz', async (_request, response) => {
    const results = await judgeAll();
    const ok = results.every((result) => result.ok);
    const degraded = results.some((result) => result.degraded);
    response.status(ok ? 200 : 503).json({ ok, ...(degraded ? { degraded } : {}), checks: results });
  });
  app.get('/metrics', async (_request, response) => {
    response.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics());
  });
  if (operatorPages) app.use(operatorPages(judgeAll));
  app.use((_request, response) => {
    response.status(404).json({ ok: false, detail: 'Here are /, /livez, /readyz and /metrics.' });
  });
  app.use(faults(logger));
  return app;

  function judgeAll(): Promise<readonly NamedHealth[]> {
    return judgeChecks(checks, checkLimitMs);
  }
}

/** What all of them say now. None is waited for longer than `limitMs`. */
export function judgeChecks(
  checks: AdminOptions['checks'],
  limitMs: number = CHECK_LIMIT_MS,
): Promise<readonly NamedHealth[]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, ...(await judge(check, limitMs)) })),
  );
}

const CHECK_LIMIT_MS = 2000;

/** Express would tell the caller where in the code it was. It knows an error handler by its four parameters. */
function faults(logger: AdminOptions['logger']): ErrorRequestHandler {
  return (err: unknown, _request, response, next) => {
    logger?.error({ err }, 'a request on the admin port failed');
    if (response.headersSent) next(err);
    else response.status(500).json({ ok: false, detail: 'a fault of ours: the log says more' });
  };
}

const LOOPBACK_ALONE = allowedHosts('127.0.0.1', []);

/** Without the name that was sent: it is somebody else's text. */
const FOREIGN_HOST =
  'This port does not answer to the name in the Host header. Ask for it by its address, or add the name to ADMIN_ALLOWED_HOSTS.';

/** A check that throws, or never answers, has failed: that is what it was asked for. */
async function judge(check: Check, limitMs: number): Promise<Health> {
  try {
    return await withTimeLimit(Promise.try(check), limitMs, `no answer within ${limitMs} ms`);
  } catch (thrown) {
    return { ok: false, detail: messageOf(thrown) };
  }
}
