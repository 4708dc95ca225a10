import type { Request, Response } from 'express';

import { groupOf, createRateLimiter, createAttemptDelay } from '../../../platform/time/rate-limiter.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { withTimeLimit } from '../../../stores/time-limit.ts';
import { KEYLESS } from '../../http/access-log.ts';
import { requestIdOf } from '../../http/exchange.ts';
import { endsConnection } from '../../http/check-host-and-framing.ts';
import { type Locale, TEXTS } from '../../../texts/texts.ts';
import { type Admission, createAdmission } from '../../reading/admission.ts';
import { ACCOUNT_POLICY } from '../shell/browser-policy.ts';
import { readForm } from '../shell/posted-form.ts';
import { pageContextAt } from '../shell/page-context.ts';
import { answerVisit } from './dispatch.ts';
import { cookiesFor } from './cookies.ts';
import { trouble } from './account-layout.ts';
import { type Reply, sendReply } from '../shell/reply.ts';
import type { AccountParts, AccountVisit } from './account-context.ts';

/** Answers a request below `/{locale}/account`, whatever it is. Never throws. */
export type AccountPages = (request: Request, response: Response, locale: Locale) => void;

/** Waiting for a place and for stores together, in milliseconds: more than an answer of the API, and then it is 503. */
const LIMIT_MS = 5000;
/** The same, and the provider, which has as long as one request to it may take. */
const AT_PROVIDER_LIMIT_MS = 9000;
/** The pages stand in a line of their own: so many requests are with the store at a time, and addresses take turns. */
const AT_ONCE = 4;
const LONGEST_WAIT_MS = 2000;
/** Where the provider of identities is asked. */
const AT_PROVIDER: ReadonlySet<string> = new Set(['/identity', '/callback']);
const RETRY_S = 2;
/** Attempts of an address to sign in, and forms of an account: more than people send. */
const SIGN_INS = { burst: 10, perMinute: 10 };
const FORMS = { burst: 30, perMinute: 30 };
/** Lines about sign-ins that failed: so many of each outcome say enough. */
const FAILURES = { burst: 10, perMinute: 10 };

export function createAccountPages(parts: AccountParts): AccountPages {
  const { clock, logger, assets, record } = parts;
  const lineFor = (of: string, limitMs: number) => ({
    limitMs,
    admission: createAdmission({ of, maxWaitMs: LONGEST_WAIT_MS, atOnce: AT_ONCE, clock }),
  });
  const line = lineFor('the account pages', LIMIT_MS);
  // A provider may take its time, and must not keep the places of people who need none.
  const lineAtProvider = lineFor('signing in at a provider', AT_PROVIDER_LIMIT_MS);
  const slowed = createAttemptDelay(clock, SIGN_INS);
  const limits = {
    signIns: createRateLimiter(clock, SIGN_INS),
    forms: createRateLimiter(clock, FORMS),
    failures: createRateLimiter(clock, FAILURES),
  };

  return (request, response, locale) => {
    const startedAt = performance.now();
    // Said before anything is waited for: what follows a body on this connection is not even looked at.
    if (endsConnection(request)) response.shouldKeepAlive = false;
    const requestId = requestIdOf(request.headers['x-request-id']);
    const visit = visitOf(request, locale);
    void settle();

    async function settle(): Promise<void> {
      const [reply, reason] = await decide();
      const headers = [...ACCOUNT_POLICY, 'X-Request-Id', requestId];
      const status = sendReply(visit, response, reply, headers);
      record({
        ...KEYLESS,
        requestId,
        method: request.method,
        route: `/${locale}/account`,
        status,
        durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
        address: request.socket.remoteAddress ?? null,
        reason: reason ?? undefined,
      });
    }

    async function decide(): Promise<readonly [Reply, string | null]> {
      const { admission, limitMs } = AT_PROVIDER.has(visit.path) ? lineAtProvider : line;
      try {
        return [await withTimeLimit(readAndAnswer(admission), limitMs), null];
      } catch (thrown) {
        const reason = messageOf(thrown);
        if (thrown instanceof RetryableError || thrown instanceof PermanentError)
          return [trouble(visit, 'unavailable', RETRY_S), reason];
        logger.error({ requestId, err: thrown }, 'a fault of ours');
        return [trouble(visit, 'fault'), reason];
      }
    }

    async function readAndAnswer(admission: Admission): Promise<Reply> {
      // Before there is a place for it: whoever sends a form byte by byte holds up nobody else.
      const form = request.method === 'POST' ? await readForm(request) : null;
      if (form !== null && visit.path === '/sign-in') await slowed(visit.address);
      return await admission.admit(visit.address, () => answerVisit(visit, form));
    }
  };

  function visitOf(request: Request, locale: Locale): AccountVisit {
    const home = parts.home();
    const base = `/${locale}/account`;
    // Of an absolute address its path alone.
    const target = request.path;
    const [, ...queries] = request.url.split('?');
    return {
      parts,
      request,
      ...pageContextAt(target, { locale, publicUrl: home.url, assets, hasAccounts: true, isSample: false }),
      texts: TEXTS[locale].account,
      home,
      cookies: cookiesFor(home.url),
      path: target === base || target.startsWith(`${base}/`) ? target.slice(base.length) : '/elsewhere',
      query: new URLSearchParams(queries.join('?')),
      address: groupOf(request.ip ?? ''),
      limits,
    };
  }
}
