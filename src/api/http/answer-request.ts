import type { ServerResponse } from 'node:http';

import type { Clock } from '../../platform/time/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { createDeadline } from '../../stores/time-limit.ts';
import { DEFAULT_LOCALE } from '../../texts/texts.ts';
import { problem, type Problem, PROBLEMS, unknownRoute } from '../problems.ts';
import { SEARCHES_AT_ONCE } from '../reading/hit-page-cache.ts';
import { KeyBusy } from '../reading/key-concurrency.ts';
import type { Caller, PathParts, Route, RouteContext, RouteRequest } from '../route.ts';
import type { AccessLog } from './access-log.ts';
import type { Access } from './check-key-and-quota.ts';
import { type Precondition, preconditionOf, NO_PRECONDITION } from './precondition.ts';
import { type Exchange, type Outcome, PREFLIGHT_OUTCOME, requestIdOf } from './exchange.ts';
import type { RoutedRequest } from './bare-express.ts';
import { KEY_BUSY_RETRY_S, RETRY_AFTER_S } from './limits.ts';
import type { Outage } from './outage-log.ts';
import { hasKeyInQuery, parseQuery, type QueryParameter } from './query-string.ts';
import { emptyRate, untouchedRate } from './rate-without-key.ts';
import { localeOf, readParameters } from './read-parameters.ts';
import { endsConnection, checkHostAndFraming } from './check-host-and-framing.ts';
import type { Send } from './response/send.ts';

export interface AnswerParts {
  readonly context: RouteContext;
  readonly access: Access;
  /** That of whoever sends a request. */
  readonly addressOf: (request: RoutedRequest) => string;
  readonly send: Send;
  readonly record: AccessLog['record'];
  readonly outage: Outage;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Requests per key and day. */
  readonly limit: number;
  /** How long a request waits for stores, in milliseconds. */
  readonly storeLimitMs: number;
}

/**
 * Answers a request; never throws or rejects. The checks run in this order, and the first that fails decides: message,
 * preflight, encoding, route, method, key, quota, parameters. No store is touched before the key's own checksum has held.
 * What ends the connection is said before this returns for the first time.
 */
export type Answer = (request: RoutedRequest, response: ServerResponse, found: RouteMatch) => Promise<void>;

/** What Express has found for a request: `thrown` is what it threw while it looked for the route. */
export interface RouteMatch {
  readonly route: Route | null;
  readonly path?: PathParts;
  readonly thrown?: unknown;
}

export function createAnswer(parts: AnswerParts): Answer {
  const { context, access, addressOf, send, record, outage, clock, logger, limit, storeLimitMs } = parts;

  return async (request, response, found) => {
    const exchange: Exchange = {
      request,
      response,
      route: found.route,
      requestId: requestIdOf(request.headers['x-request-id']),
      startedAt: performance.now(),
      deadline: createDeadline(storeLimitMs),
      locale: DEFAULT_LOCALE,
      rate: untouchedRate(limit, clock.now()),
      keyId: null,
      take: null,
      reason: null,
      closes: endsConnection(request),
    };
    const deciding = decide(exchange, found).catch((cause: unknown) => explain(exchange, cause));
    await settle(exchange, await deciding);
  };

  async function decide(exchange: Exchange, { route, path = {}, thrown }: RouteMatch): Promise<Outcome> {
    const { request } = exchange;
    const sent = parseQuery(request.url);
    if (sent) exchange.locale = localeOf(sent, route && 'lang' in route.parameters ? 'lang' : 'locale');
    const refusal = checkHostAndFraming(request);
    exchange.closes ||= refusal !== null;
    // Said before anything is waited for: what follows on this connection is not even looked at.
    if (exchange.closes) exchange.response.shouldKeepAlive = false;
    if (refusal) return refusal;
    if (request.method === 'OPTIONS') return PREFLIGHT_OUTCOME;
    if (thrown !== undefined) throw thrown;
    if (!sent) return problem('broken_encoding');
    if (!route) return unknownRoute(context.publicUrl);
    if (request.method !== 'GET' && request.method !== 'HEAD') return problem('wrong_method');
    const refused = route.needsKey ? await admit(exchange, sent, route) : null;
    if (refused) return refused;
    if (route.needsKey && hasKeyInQuery(sent)) return problem('key_beside_header');
    return await respond(exchange, route, { sent, path });
  }

  async function respond(
    { request, deadline, keyId }: Exchange,
    route: Route,
    { sent, path }: Pick<RouteRequest, 'sent' | 'path'>,
  ): Promise<Outcome> {
    const read = readParameters(route.parameters, route.ignoresQuery ? [] : sent);
    if (read.problem !== undefined) return read;
    const caller: Caller = { keyId, headers: request.headers, address: () => addressOf(request) };
    const answer = route.answer(context, { ...caller, values: read.values, path, sent, deadline });
    return await (route.outlivesStores ? answer : deadline.within(answer));
  }

  /** What refuses the request; null where it may be answered. */
  async function admit(
    exchange: Exchange,
    sent: readonly QueryParameter[],
    route: Route,
  ): Promise<Problem | null> {
    // Until the key is known to be good, there is nothing left of its quota.
    exchange.rate = emptyRate(limit, clock.now());
    const header = exchange.request.headers['x-api-key'];
    const key = Array.isArray(header) ? header.join(',') : header;
    const admitted = await access.admit(key, sent, exchange.deadline);
    if ('problem' in admitted) return admitted;
    const { keyId, take } = admitted;
    exchange.keyId = keyId;
    if (take instanceof RetryableError) {
      if (!route.outlivesStores) throw take;
      return null;
    }
    const { granted, remaining, resetS } = take;
    exchange.rate = { limit: take.limit, remaining, resetS, cost: granted ? 1 : 0 };
    if (!granted) return problem('used_up', { limit: take.limit, seconds: resetS });
    exchange.take = take;
    return null;
  }

  function explain(exchange: Exchange, cause: unknown): Problem {
    const { requestId, request } = exchange;
    exchange.reason = messageOf(cause);
    if (cause instanceof KeyBusy) {
      return problem('key_busy', { searches: SEARCHES_AT_ONCE, seconds: KEY_BUSY_RETRY_S });
    }
    // No repetition helps after a permanent one until an operator has acted; to a reader it is a store that is down.
    if (cause instanceof RetryableError || cause instanceof PermanentError) {
      outage.failed(cause);
      return problem('unavailable', { seconds: RETRY_AFTER_S });
    }
    // Express refuses a path whose encoding is broken before a route has seen it.
    if (!parseQuery(request.url)) return problem('broken_encoding');
    logger.error({ requestId, err: cause }, 'a fault of ours');
    return problem('fault');
  }

  async function settle(exchange: Exchange, outcome: Outcome): Promise<void> {
    const hasFailed = 'problem' in outcome && PROBLEMS[outcome.problem].status >= 500;
    if (exchange.take && !hasFailed) outage.answered();
    const condition = conditionFor(exchange, outcome);
    if (exchange.take && !hasFailed && !condition.isNamed) access.answered(exchange.take);
    else if (exchange.take) {
      const remaining = await access.giveBack(exchange.take, exchange.deadline);
      exchange.rate = { ...exchange.rate, remaining, cost: 0 };
    }
    const aborted = exchange.response.destroyed;
    tellOf(exchange, await send(exchange, outcome, condition), aborted);
  }

  function tellOf(exchange: Exchange, status: number, aborted: boolean): void {
    const { requestId, request, route, rate, keyId, reason, startedAt } = exchange;
    record({
      requestId,
      method: request.method,
      route: route?.path ?? null,
      status,
      cost: rate.cost,
      durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
      keyId,
      address: request.socket.remoteAddress ?? null,
      reason: status >= 500 ? (reason ?? undefined) : undefined,
      aborted: aborted || undefined,
    });
  }
}

function conditionFor({ request }: Exchange, outcome: Outcome): Precondition {
  return 'etag' in outcome ? preconditionOf(request.headers['if-none-match'], outcome.etag) : NO_PRECONDITION;
}
