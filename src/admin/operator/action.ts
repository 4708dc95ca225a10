import { cookieField } from '../../api/pages/shell/cookies.ts';
import { type Form, comesFromUs, hasToken } from '../../api/pages/shell/posted-form.ts';
import type { Reply } from '../../api/pages/shell/reply.ts';
import type { Act } from '../../operations/act-log.ts';
import type { Preview } from '../../operations/act-preview.ts';
import { groupOf, createRateLimiter, createAttemptDelay } from '../../platform/time/rate-limiter.ts';
import { messageOf } from '../../platform/errors.ts';
import { confirmPlace } from './act-controls.ts';
import { SESSION_MS, type OperatorSessions } from './sessions.ts';
import { errorView } from './error-view.ts';
import { cookieName, tokenOf, type OperatorPageParts, type OperatorVisit } from './operator-context.ts';

/** Secrets that are tried from an address without a delay: so many at once, then at this rate. */
const GUESSES = { burst: 5, perMinute: 5 };
/** Lines about wrong ones, whoever sends them: the next one says how many had none. */
const WARNINGS = { burst: 5, perMinute: 1 };
const PLACES = new Set(['/sign-in', '/sign-out', '/act']);

/** `form`: what was sent; null where that is none. */
type Action = (visit: OperatorVisit, form: Form | null) => Promise<Reply>;

/** Everything that is sent to be changed: by a form of ours, sent from here, by somebody who has said the secret. */
export function createAction(
  { role, operator, clock, logger }: OperatorPageParts,
  sessions: OperatorSessions | null,
): Action {
  const slowed = createAttemptDelay(clock, GUESSES);
  const warnings = createRateLimiter(clock, WARNINGS);
  let untold = 0;

  return async (visit, form) => {
    const { path, request, session } = visit;
    if (!PLACES.has(path)) return errorView(visit, 'missing');
    if (form === null) return errorView(visit, 'forged', { status: 400 });
    // Which names this port answers to was decided before.
    if (!comesFromUs(request.headers, null)) return errorView(visit, 'forged');
    if (sessions === null) return errorView(visit, 'locked');
    if (path === '/sign-in') return await signIn(sessions, visit, form);
    if (session === null || !hasToken(form, session.csrf)) return errorView(visit, 'forged');
    if (path === '/sign-out') {
      sessions.take(tokenOf(request));
      return { goTo: `/${visit.locale}`, cookies: [sessionCookie(visit, '', 0)] };
    }
    if (form['kind'] === 'verify') return await act(visit, VERIFY, null);
    const token = form['confirmed'];
    if (token === undefined) return errorView(visit, 'missing');
    const confirmed = session.confirmations.take(token);
    if (confirmed === null) return errorView(visit, 'used');
    return await act(visit, confirmed.act, confirmed.preview);
  };

  async function act(visit: OperatorVisit, wanted: Act, shown: Preview | null): Promise<Reply> {
    if (operator === null || role !== 'project') return errorView(visit, 'elsewhere');
    try {
      const begun = await operator.act(wanted, shown);
      if (begun === 'stale') return errorView(visit, 'stale', { again: confirmPlace(wanted) });
      if (begun === 'not_here') return errorView(visit, 'elsewhere');
      return { goTo: `/${visit.locale}?done=${begun}` };
    } catch (thrown) {
      return errorView(visit, 'unavailable', { said: messageOf(thrown) });
    }
  }

  async function signIn(open: OperatorSessions, visit: OperatorVisit, { secret = '' }: Form): Promise<Reply> {
    const { request, locale } = visit;
    const address = request.socket.remoteAddress ?? '';
    await slowed(groupOf(address));
    const token = open.open(secret);
    if (token === null) {
      warn(address);
      return errorView(visit, 'wrong');
    }
    logger.info({ address }, 'operator signed in');
    // Whoever had a session before has none now: a planted cookie is worth nothing.
    open.take(tokenOf(request));
    return { goTo: `/${locale}`, cookies: [sessionCookie(visit, token, SESSION_MS / 1000)] };
  }

  function warn(address: string): void {
    if (warnings.take('') !== null) {
      untold += 1;
      return;
    }
    logger.warn({ address, untold }, 'wrong operator secret');
    untold = 0;
  }
}

const VERIFY: Act = { kind: 'verify', subject: '' };

function sessionCookie({ request }: OperatorVisit, value: string, seconds: number): string {
  const isSecure = request.headers.origin?.startsWith('https:') === true;
  return cookieField(cookieName(request), value, { seconds, sameSite: 'Strict', isSecure });
}
