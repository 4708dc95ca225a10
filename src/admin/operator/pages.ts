import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { type Locale, LOCALES } from '../../api/messages/texts.ts';
import { languageOf } from '../../api/pages/front.ts';
import { type Assets, readAssets } from '../../api/pages/shell/assets.ts';
import { OPERATOR_POLICY } from '../../api/pages/shell/browser-policy.ts';
import { readForm, type Form } from '../../api/pages/shell/form.ts';
import { frameAt } from '../../api/pages/shell/frame.ts';
import { ACT_KINDS, type Act } from '../../operating/acts.ts';
import { messageOf } from '../../platform/errors.ts';
import { createRates } from '../../platform/rates.ts';
import { parkedView } from './parked-view.ts';
import { createOperatorSessions, SESSION_MS } from './sessions.ts';
import { OPERATOR_TEXTS } from './texts.ts';
import { troubleView, type Trouble } from './trouble.ts';
import { operatorView } from './view.ts';
import {
  comesFromHere,
  cookieName,
  tokenIn,
  type OperatorPartsGiven,
  type Shown,
  type Visit,
} from './visit.ts';

/** Wrong secrets of an address: so many at once, then at this rate. */
const GUESSES = { burst: 5, perMinute: 5 };
const NOTICES = ['begun', 'ended', 'busy'] as const;
export type Notice = (typeof NOTICES)[number];

/**
 * The operator page: `/` leads to `/{locale}`. Looking changes nothing and needs no secret, as with `/metrics`; whatever changes
 * something is a form of ours, sent from here by somebody who has said the operator secret.
 */
export function createOperatorPages(parts: OperatorPartsGiven): RequestHandler {
  const { standing, operator, secret, clock, logger } = parts;
  const sessions = secret === null ? null : createOperatorSessions(secret, clock);
  const guesses = createRates(clock, GUESSES);
  let assets: Assets | null = null;

  // What it throws, Express hands on.
  return answer;

  async function answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { path, method } = request;
    const isLook = method === 'GET' || method === 'HEAD';
    assets ??= readAssets();
    if (isLook && path === '/') {
      const Location = `/${languageOf(request.headers)}`;
      response.writeHead(302, { Location, Vary: 'Accept-Language', 'Content-Length': 0 }).end();
      return;
    }
    const file = path.startsWith('/assets/') ? assets.find(path.slice('/assets/'.length)) : undefined;
    if (isLook && file) {
      response.set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Type': file.contentType,
      });
      response.end(method === 'HEAD' ? undefined : file.bytes);
      return;
    }
    const locale = LOCALES.find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
    if (locale === undefined) return next();
    const visit = visitOf(request, locale, assets);
    const place = path.slice(locale.length + 1);
    if (isLook) return send(request, response, visit, await look(request, visit, place));
    if (method !== 'POST') return send(request, response, visit, troubleView(visit, 'method'));
    await change(request, response, visit, place);
  }

  function visitOf(request: Request, locale: Locale, files: Assets): Visit {
    const [target = ''] = request.url.split('?');
    return {
      locale,
      frame: frameAt(target, { locale, publicUrl: '', assets: files, hasAccounts: false }),
      texts: OPERATOR_TEXTS[locale],
      standing,
      hasSecret: secret !== null,
      session: sessions?.find(tokenOf(request)) ?? null,
    };
  }

  function tokenOf(request: Request): string | null {
    return tokenIn(request.headers, cookieName(request.socket.localPort));
  }

  async function look(request: Request, visit: Visit, place: string): Promise<Shown> {
    const query = new URL(request.url, 'http://admin').searchParams;
    if (place === '' || place === '/')
      return await page(visit, NOTICES.find((one) => one === query.get('done')) ?? null);
    if (place !== '/parked' || operator === null) return troubleView(visit, 'missing');
    try {
      const event = await operator.parked(query.get('id') ?? '');
      return event ? { status: 200, view: parkedView(event, visit) } : troubleView(visit, 'missing');
    } catch (thrown) {
      return troubleView(visit, 'unavailable', messageOf(thrown));
    }
  }

  async function page(visit: Visit, notice: Notice | null): Promise<Shown> {
    const checks = await parts.judged();
    try {
      const overview = operator === null ? null : await operator.overview();
      return { status: 200, view: operatorView({ checks, overview, notice, trouble: null }, visit) };
    } catch (thrown) {
      // A store that is down is when the page is wanted most: it says what it can.
      return {
        status: 503,
        view: operatorView({ checks, overview: null, notice, trouble: messageOf(thrown) }, visit),
      };
    }
  }

  async function change(request: Request, response: Response, visit: Visit, place: string): Promise<void> {
    const refuse = (what: Trouble) => send(request, response, visit, troubleView(visit, what));
    if (!['/sign-in', '/sign-out', '/act'].includes(place)) return refuse('missing');
    // The body is read in any case, so that the answer reaches whoever sends one.
    const form = await readForm(request);
    if (form === null) return refuse('large');
    if (!comesFromHere(request.headers)) return refuse('forged');
    if (sessions === null) return refuse('locked');
    if (place === '/sign-in') return signIn(request, response, visit, form);
    if (visit.session === null || form['csrf'] !== visit.session.csrf) return refuse('forged');
    if (place === '/sign-out') {
      sessions.close(tokenOf(request));
      setCookie(request, response, '', 0);
      return response.redirect(303, `/${visit.locale}`);
    }
    const act = actIn(form);
    if (act === null) return refuse('missing');
    if (operator === null || standing !== 'projects') return refuse('elsewhere');
    try {
      response.redirect(303, `/${visit.locale}?done=${await operator.act(act)}`);
    } catch (thrown) {
      send(request, response, visit, troubleView(visit, 'unavailable', messageOf(thrown)));
    }
  }

  function signIn(request: Request, response: Response, visit: Visit, { secret: said = '' }: Form): void {
    const address = request.socket.remoteAddress ?? '';
    const waitS = guesses.take(address);
    if (waitS !== null) {
      logger.warn({ address }, 'too many tries of the operator secret');
      return send(request, response, visit, troubleView(visit, 'often', null, waitS));
    }
    const token = sessions?.open(said) ?? null;
    if (token === null) {
      logger.warn({ address }, 'wrong operator secret');
      return send(request, response, visit, troubleView(visit, 'wrong'));
    }
    logger.info({ address }, 'operator signed in');
    // Whoever had a session before has none now: a planted cookie is worth nothing.
    sessions?.close(tokenOf(request));
    setCookie(request, response, token, SESSION_MS / 1000);
    response.redirect(303, `/${visit.locale}`);
  }

  function setCookie(request: Request, response: Response, value: string, seconds: number): void {
    const name = cookieName(request.socket.localPort);
    const isSecure = request.headers.origin?.startsWith('https:') === true;
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    response.set('Set-Cookie', `${name}=${value}; ${attributes}`);
  }
}

/** null where the form asks for nothing that there is. What is named in it is looked up, not trusted, when it is done. */
function actIn({ kind: named, subject = '', to }: Form): Act | null {
  const kind = ACT_KINDS.find((one) => one === named);
  if (kind === undefined || subject.length > 500) return null;
  return { kind, subject, ...(to === undefined ? {} : { to }) };
}

function send(
  request: Request,
  response: Response,
  { locale }: Visit,
  { status, view, headers = [] }: Shown,
): void {
  const all = [...OPERATOR_POLICY, ...headers, 'Content-Language', locale];
  for (let at = 0; at < all.length; at += 2) response.setHeader(String(all[at]), String(all[at + 1]));
  response.status(status).type('text/html; charset=utf-8');
  if (request.method === 'HEAD') response.end();
  else response.end(String(view));
}
