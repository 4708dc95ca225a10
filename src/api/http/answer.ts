import type { Request, Response } from 'express';

import type { Clock } from '../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { createDeadline } from '../../stores/time-limit.ts';
import { DEFAULT_LOCALE } from '../messages/texts.ts';
import { problem, type Problem, PROBLEMS, unknownRoute } from '../problems.ts';
import { SEARCHES_AT_ONCE } from '../reading/hits.ts';
import { KeyBusy } from '../reading/key-gate.ts';
import type { Route, RouteContext } from '../route.ts';
import type { Tell } from './access-log.ts';
import type { Access } from './access.ts';
import { type Exchange, type Outcome, PREFLIGHT_OUTCOME, requestIdOf } from './exchange.ts';
import { KEY_BUSY_RETRY_S, RETRY_AFTER_S } from './limits.ts';
import type { Outage } from './outage.ts';
import { hasKeyInQuery, parseQuery, type QueryParameter } from './query.ts';
import { emptyRate, untouchedRate } from './rate.ts';
import { localeOf, readParameters } from './read-parameters.ts';
import { endsConnection, refuseMessage } from './request-checks.ts';
import type { Send } from './send.ts';

export interface ExchangeParts {
  readonly context: RouteContext;
  readonly access: Access;
  readonly send: Send;
  readonly tell: Tell;
  readonly outage: Outage;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Requests per key and day. */
  readonly limit: number;
  /** How long a request waits for stores, in milliseconds. */
  readonly storeLimitMs: number;
}

/**
 * Answers a request; never rejects. The checks run in this order, and the first that fails decides: message, preflight,
 * encoding, route, method, key, quota, parameters. No store is touched before the key's own checksum has held.
 * `thrown` is what Express threw while it looked for the route.
 */
export type Answer = (
  request: Request,
  response: Response,
  route: Route | null,
  thrown?: unknown,
) => Promise<void>;

export function createAnswer(parts: ExchangeParts): Answer {
  const { context, access, send, tell, outage, clock, logger, limit, storeLimitMs } = parts;

  return async (request, response, route, thrown) => {
    const exchange = open(request, response, route);
    const outcome = await decide(exchange, thrown).catch((cause: unknown) => {
      exchange.reason = messageOf(cause);
      return explain(exchange, cause);
    });
    await settle(exchange, outcome);
  };

  function open(request: Request, response: Response, route: Route | null): Exchange {
    return {
      request,
      response,
      route,
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
  }

  async function decide(exchange: Exchange, thrown: unknown): Promise<Outcome> {
    const { request, route } = exchange;
    const refusal = refuseMessage(request);
    exchange.closes ||= refusal !== null;
    // Said before anything is waited for: what follows on this connection is not even looked at.
    if (exchange.closes) exchange.response.shouldKeepAlive = false;
    if (refusal) return refusal;
    if (request.method === 'OPTIONS') return PREFLIGHT_OUTCOME;
    if (thrown !== undefined) throw thrown;
    const sent = parseQuery(request.url);
    if (!sent) return problem('broken_encoding');
    const named = route && 'lang' in route.parameters ? 'lang' : 'locale';
    exchange.locale = localeOf(sent, named);
    if (!route) return unknownRoute(context.publicUrl);
    if (request.method !== 'GET' && request.method !== 'HEAD') return problem('wrong_method');
    if (route.needsKey) {
      const refused = await admit(exchange, sent, route);
      if (refused) return refused;
      if (hasKeyInQuery(sent)) return problem('key_beside_header');
    }
    const read = readParameters(route.parameters, route.ignoresQuery ? [] : sent);
    if ('problem' in read) return read;
    // Express types a part of the path as text or a list; only wildcards, which no route has, make lists.
    const path = request.params as Readonly<Record<string, string | undefined>>;
    const { deadline, keyId } = exchange;
    const asked = { keyId, values: read.values, path, deadline, headers: request.headers };
    const answer = route.answer(context, asked);
    return await (route.outlivesStores ? answer : deadline.within(answer));
  }

  async function admit(
    exchange: Exchange,
    sent: readonly QueryParameter[],
    route: Route,
  ): Promise<Problem | null> {
    // Until the key is known to be good, there is nothing left of its quota.
    exchange.rate = emptyRate(limit, clock.now());
    const header = exchange.request.headers['x-api-key'];
    const admission = await access.admit(
      Array.isArray(header) ? header.join(',') : header,
      sent,
      exchange.deadline,
    );
    if (admission.outcome === 'refused') return admission.problem;
    exchange.keyId = admission.keyId;
    if (admission.outcome === 'uncounted') {
      if (!route.outlivesStores) throw admission.cause;
      return null;
    }
    const { take } = admission;
    const { granted, ...left } = take;
    if (!granted) {
      exchange.rate = { ...left, remaining: 0, cost: 0 };
      return problem('used_up', { limit: left.limit, seconds: left.resetS });
    }
    exchange.take = take;
    exchange.rate = { ...left, cost: 1 };
    return null;
  }

  function explain({ requestId, request }: Exchange, cause: unknown): Problem {
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
    const isFree = send.isNamed(exchange, outcome) || hasFailed;
    if (isFree && exchange.take) {
      const remaining = await access.giveBack(exchange.take, exchange.deadline);
      exchange.rate = { ...exchange.rate, remaining, cost: 0 };
    }
    const aborted = exchange.response.destroyed;
    const status = await send.answer(exchange, outcome);
    const { requestId, request, route, rate, keyId, reason, startedAt } = exchange;
    tell({
      requestId,
      method: request.method,
      route: route?.path ?? null,
      status,
      cost: rate.cost,
      durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
      keyId,
      address: request.socket.remoteAddress ?? null,
      ...(hasFailed && reason !== null ? { reason } : {}),
      ...(aborted ? { aborted } : {}),
    });
  }
}
