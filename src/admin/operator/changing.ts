import type { Request, Response } from 'express';

import { readForm, type Form } from '../../api/pages/shell/form.ts';
import type { Act } from '../../operating/acts.ts';
import type { Prospect } from '../../operating/prospect.ts';
import { groupOf } from '../../platform/address-groups.ts';
import { createAttempts } from '../../platform/attempts.ts';
import { messageOf } from '../../platform/errors.ts';
import { createRates } from '../../platform/rates.ts';
import { confirmPlace } from './forms.ts';
import { send } from './sending.ts';
import { isSame, SESSION_MS, type OperatorSessions } from './sessions.ts';
import { troubleView, type Trouble } from './trouble.ts';
import { comesFromHere, cookieName, tokenOf, type OperatorPartsGiven, type Visit } from './visit.ts';

/** Secrets that are tried from an address without a delay: so many at once, then at this rate. */
const GUESSES = { burst: 5, perMinute: 5 };
/** Lines about wrong ones, whoever sends them: the next one says how many had none. */
const WARNINGS = { burst: 5, perMinute: 1 };
const PLACES = new Set(['/sign-in', '/sign-out', '/act']);

type Change = (request: Request, response: Response, visit: Visit, place: string) => Promise<void>;

/** Everything that is sent to be changed: by a form of ours, sent from here, by somebody who has said the secret. */
export function createChange(
  { standing, operator, clock, logger }: OperatorPartsGiven,
  sessions: OperatorSessions | null,
): Change {
  const guesses = createAttempts(clock, GUESSES);
  const warnings = createRates(clock, WARNINGS);
  let untold = 0;

  return async (request, response, visit, place) => {
    const refuse = (what: Trouble) => send(request, response, visit, troubleView(visit, what));
    if (!PLACES.has(place)) return refuse('missing');
    // The body is read in any case, so that the answer reaches whoever sends one.
    const form = await readForm(request);
    if (form === null) return refuse('large');
    if (!comesFromHere(request.headers)) return refuse('forged');
    if (sessions === null) return refuse('locked');
    if (place === '/sign-in') return signIn(sessions, request, response, visit, form);
    const { session } = visit;
    if (session === null || !isSame(form['csrf'] ?? '', session.csrf)) return refuse('forged');
    if (place === '/sign-out') {
      sessions.close(tokenOf(request));
      setCookie(request, response, '', 0);
      return response.redirect(303, `/${visit.locale}`);
    }
    if (form['kind'] === 'verify') return act(request, response, visit, VERIFY, null);
    const token = form['confirmed'];
    if (token === undefined) return refuse('missing');
    const confirmed = session.confirmations.take(token);
    if (confirmed === null) return refuse('used');
    return act(request, response, visit, confirmed.act, confirmed.prospect);
  };

  async function act(
    request: Request,
    response: Response,
    visit: Visit,
    wanted: Act,
    shown: Prospect | null,
  ): Promise<void> {
    const refuse = (what: Trouble, given: Parameters<typeof troubleView>[2] = {}) =>
      send(request, response, visit, troubleView(visit, what, given));
    if (operator === null || standing !== 'projects') return refuse('elsewhere');
    try {
      const begun = await operator.act(wanted, shown);
      if (begun === 'stale') return refuse('stale', { again: confirmPlace(wanted) });
      if (begun === 'not_here') return refuse('elsewhere');
      response.redirect(303, `/${visit.locale}?done=${begun}`);
    } catch (thrown) {
      refuse('unavailable', { said: messageOf(thrown) });
    }
  }

  async function signIn(
    open: OperatorSessions,
    request: Request,
    response: Response,
    visit: Visit,
    { secret: said = '' }: Form,
  ): Promise<void> {
    const address = request.socket.remoteAddress ?? '';
    await guesses.wait(groupOf(address));
    const token = open.open(said);
    if (token === null) {
      warn(address);
      return send(request, response, visit, troubleView(visit, 'wrong'));
    }
    logger.info({ address }, 'operator signed in');
    // Whoever had a session before has none now: a planted cookie is worth nothing.
    open.close(tokenOf(request));
    setCookie(request, response, token, SESSION_MS / 1000);
    response.redirect(303, `/${visit.locale}`);
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

function setCookie(request: Request, response: Response, value: string, seconds: number): void {
  const name = cookieName(request.socket.localPort);
  const isSecure = request.headers.origin?.startsWith('https:') === true;
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  response.set('Set-Cookie', `${name}=${value}; ${attributes}`);
}
