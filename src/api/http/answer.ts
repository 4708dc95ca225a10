import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Request } from 'express';

import type { Clock } from '../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { after, type Soon } from '../../platform/soon.ts';
import { createDeadline } from '../../stores/time-limit.ts';
import { DEFAULT_LOCALE } from '../messages/texts.ts';
import { problem, type Problem, PROBLEMS, unknownRoute } from '../problems.ts';
import { SEARCHES_AT_ONCE } from '../reading/hits.ts';
import { KeyBusy } from '../reading/key-gate.ts';
import type { Route, RouteContext } from '../route.ts';
import type { Tell } from './access-log.ts';
import type { Access, Admission } from './access.ts';
import type { AskRoute } from './ask-route.ts';
import { type Condition, conditionOf, NO_CONDITION } from './conditional.ts';
import { makeEarly } from './early.ts';
import { type Exchange, type Outcome, PREFLIGHT_OUTCOME, requestIdOf } from './exchange.ts';
import { KEY_BUSY_RETRY_S, RETRY_AFTER_S } from './limits.ts';
import type { Outage } from './outage.ts';
import { parseQuery, type QueryParameter } from './query.ts';
import type { PathParts, Question, Questions } from './questions.ts';
import { emptyRate, untouchedRate } from './rate.ts';
import { endsConnection, refuseMessage } from './request-checks.ts';
import type { Send } from './send.ts';
import type { WaitedRequests } from './waited.ts';

export interface ExchangeParts {
  readonly context: RouteContext;
  readonly access: Access;
  readonly askRoute: AskRoute;
  readonly questions: Questions;
  readonly send: Send;
  readonly tell: Tell;
  readonly outage: Outage;
  readonly waited: WaitedRequests;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Requests per key and day. */
  readonly limit: number;
  /** How long a request waits for stores, in milliseconds. */
  readonly storeLimitMs: number;
}

/**
 * Answers a request, in this turn of the event loop where all that it needs is known; never throws or rejects. The checks run in this order, and the first that fails decides: message, preflight,
 * encoding, route, method, key, quota, parameters. No store is touched before the key's own checksum has held.
 */
export interface Answer {
  /** Answers what was answered before, without a look at the routes. False where it was not. */
  known(request: IncomingMessage, response: ServerResponse): boolean;
  /** `thrown` is what Express threw while it looked for the route. */
  routed(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route | null,
    found: { readonly path?: PathParts; readonly thrown?: unknown },
  ): void;
}

export function createAnswer(parts: ExchangeParts): Answer {
  const {
    context,
    access,
    askRoute,
    questions,
    send,
    tell,
    outage,
    waited,
    clock,
    logger,
    limit,
    storeLimitMs,
  } = parts;

  return {
    known(request, response) {
      const question = questions.known(request.url ?? '');
      if (!question) return false;
      begin(open(request, response, question.route), question);
      return true;
    },
    routed(request, response, route, { path = {}, thrown }) {
      const question = questions.read(request.url ?? '', route, path);
      begin(open(request, response, route), question, thrown);
    },
  };

  function begin(exchange: Exchange, question: Question | null, thrown?: unknown): void {
    void after(decideOrExplain(exchange, question, thrown), (outcome) => settle(exchange, outcome));
  }

  function decideOrExplain(exchange: Exchange, question: Question | null, thrown: unknown): Soon<Outcome> {
    try {
      const decided = decide(exchange, question, thrown);
      return decided instanceof Promise
        ? decided.catch((cause: unknown) => explain(exchange, cause))
        : decided;
    } catch (cause) {
      return explain(exchange, cause);
    }
  }

  function open(request: IncomingMessage, response: ServerResponse, route: Route | null): Exchange {
    const begun = waited.get(request) ?? null;
    return {
      request,
      response,
      route,
      requestId: requestIdOf(request.headers['x-request-id']),
      startedAt: begun?.startedAt ?? performance.now(),
      deadline: begun?.deadline ?? createDeadline(storeLimitMs),
      waited: begun,
      locale: DEFAULT_LOCALE,
      rate: untouchedRate(limit, clock.now()),
      keyId: null,
      take: null,
      reason: null,
      closes: endsConnection(request),
    };
  }

  function decide(exchange: Exchange, question: Question | null, thrown: unknown): Soon<Outcome> {
    const { request, route } = exchange;
    const refusal = refuseMessage(request);
    exchange.closes ||= refusal !== null;
    // Said before anything is waited for: what follows on this connection is not even looked at.
    if (exchange.closes) exchange.response.shouldKeepAlive = false;
    if (refusal) return refusal;
    if (request.method === 'OPTIONS') return PREFLIGHT_OUTCOME;
    if (thrown !== undefined) throw thrown;
    if (!question) return problem('broken_encoding');
    exchange.locale = question.locale;
    if (!route) return unknownRoute(context.publicUrl);
    if (request.method !== 'GET' && request.method !== 'HEAD') return problem('wrong_method');
    if (!route.needsKey) return respond(exchange, route, question, null);
    const answer = (keyId: string | null) => (): Soon<Outcome> => respond(exchange, route, question, keyId);
    let early: (() => Promise<Outcome>) | null = null;
    const meanwhile = (keyId: string): void => {
      // What was answered a moment ago is there when it is wanted.
      if (question.hasKey || questions.answerOf(question)) return;
      early = makeEarly(questions, answer(keyId));
    };
    return after(admit(exchange, question.sent, route, meanwhile), (refused) => {
      if (refused) return refused;
      if (question.hasKey) return problem('key_beside_header');
      return (early ?? answer(exchange.keyId))();
    });
  }

  function respond(
    exchange: Exchange,
    route: Route,
    question: Question,
    keyId: string | null,
  ): Soon<Outcome> {
    const known = questions.answerOf(question);
    if (known) return known;
    const { request, deadline } = exchange;
    const answer = askRoute(request.url ?? '', question, route, {
      keyId,
      deadline,
      headers: request.headers,
      // Every request is of Express's class; it knows which proxies to believe.
      address: () => (request as Request).ip ?? '',
    });
    return route.outlivesStores ? answer : deadline.within(answer);
  }

  function admit(
    exchange: Exchange,
    sent: readonly QueryParameter[],
    route: Route,
    meanwhile: (keyId: string) => void,
  ): Soon<Problem | null> {
    // Until the key is known to be good, there is nothing left of its quota.
    exchange.rate = emptyRate(limit, clock.now());
    const header = exchange.request.headers['x-api-key'];
    const admission = access.admit(
      Array.isArray(header) ? header.join(',') : header,
      sent,
      exchange.deadline,
      exchange.waited,
      meanwhile,
    );
    return after(admission, (admitted) => enter(exchange, admitted, route));
  }

  function enter(exchange: Exchange, admission: Admission, route: Route): Problem | null {
    if (admission.outcome === 'refused') return admission.problem;
    exchange.keyId = admission.keyId;
    if (admission.outcome === 'uncounted') {
      if (!route.outlivesStores) throw admission.cause;
      return null;
    }
    const { take } = admission;
    const { granted, remaining, resetS } = take;
    if (!granted) {
      exchange.rate = { limit: take.limit, remaining: 0, resetS, cost: 0 };
      return problem('used_up', { limit: take.limit, seconds: resetS });
    }
    exchange.take = take;
    exchange.rate = { limit: take.limit, remaining, resetS, cost: 1 };
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
    if (!parseQuery(request.url ?? '')) return problem('broken_encoding');
    logger.error({ requestId, err: cause }, 'a fault of ours');
    return problem('fault');
  }

  function settle(exchange: Exchange, outcome: Outcome): Soon<void> {
    if (exchange.waited) access.drop(exchange.waited);
    const hasFailed = 'problem' in outcome && PROBLEMS[outcome.problem].status >= 500;
    if (exchange.take && !hasFailed) outage.answered();
    const condition = conditionFor(exchange, outcome);
    if (!exchange.take || !(hasFailed || condition.isNamed)) return sendAndTell(exchange, outcome, condition);
    return after(access.giveBack(exchange.take, exchange.deadline), (remaining) => {
      exchange.rate = { ...exchange.rate, remaining, cost: 0 };
      return sendAndTell(exchange, outcome, condition);
    });
  }

  function sendAndTell(exchange: Exchange, outcome: Outcome, condition: Condition): Soon<void> {
    const aborted = exchange.response.destroyed;
    return after(send(exchange, outcome, condition), (status) => {
      const { requestId, request, route, rate, keyId, reason, startedAt } = exchange;
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      tell({
        requestId,
        method: request.method ?? null,
        route: route?.path ?? null,
        status,
        cost: rate.cost,
        durationMs,
        keyId,
        address: keyId === null ? (request.socket.remoteAddress ?? null) : null,
        ...(reason !== null && status >= 500 ? { reason } : {}),
        ...(aborted ? { aborted } : {}),
      });
    });
  }
}

function conditionFor({ request }: Exchange, outcome: Outcome): Condition {
  return 'etag' in outcome ? conditionOf(request.headers['if-none-match'], outcome.etag) : NO_CONDITION;
}
