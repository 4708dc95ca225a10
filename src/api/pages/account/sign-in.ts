import { newToken } from '../../../access/accounts/tokens.ts';
import { SESSION_MS } from '../../../access/accounts/sessions.ts';
import type { Form } from '../shell/form.ts';
import { isSameToken, visitToken } from './forgery.ts';
import { home } from './actions.ts';
import { linkView, signInView } from './sign-in-view.ts';
import type { Notice } from './texts.ts';
import { trouble } from './trouble.ts';
import type { Holder, Reply, Shown, Visit } from './visit.ts';

/** A form may stand open for so long before it is sent. */
const VISIT_S = 3600;

/** How one gets in. */
export function signInPage(visit: Visit, notice: Notice | null): Shown {
  const { name } = visit.parts.oidc ?? { name: null };
  if (name === null) return { status: 200, view: signInView(visit, notice, null) };
  const { csrf, cookies } = boundToVisit(visit);
  return { status: 200, view: signInView(visit, notice, { name, csrf }), cookies };
}

/** What a one-time link opens: a form that uses it up. */
export function linkPage(visit: Visit, link: string): Shown {
  const { csrf, cookies } = boundToVisit(visit);
  return {
    status: 200,
    view: linkView(visit, { link, csrf, provider: visit.parts.oidc?.name ?? null }),
    cookies,
  };
}

/** What binds a form to this browser. A cookie that is there already is kept: the form in another tab is bound to it. */
function boundToVisit(visit: Visit) {
  const at = visitOf(visit) ?? newToken();
  const csrf = visitToken(at, visit.parts.formSecret);
  return { csrf, cookies: [visit.cookies.set('visit', at, VISIT_S)] };
}

/** Signs in by a one-time link. Whoever was signed in before is not any more. */
export async function signIn(visit: Visit, holder: Holder | null, form: Form): Promise<Reply> {
  const { parts, limits, address } = visit;
  const waitS = limits.signIns.take(address);
  if (waitS !== null) return trouble(visit, 'often', waitS);
  const known = visitOf(visit);
  if (known === null || !isSameToken(form['csrf'], visitToken(known, parts.formSecret)))
    return trouble(visit, 'forged');
  const signedIn = await parts.accounts.signInByLink(form['link'] ?? '', holder?.token ?? null);
  if (signedIn.outcome !== 'signed_in') return trouble(visit, signedIn.outcome);
  return { ...home(visit, null), cookies: sessionCookies(visit, signedIn.session.token) };
}

export async function signOut(visit: Visit, holder: Holder): Promise<Reply> {
  await visit.parts.accounts.signOut(holder.token);
  return { ...home(visit, 'out'), cookies: [visit.cookies.set('session', '', 0)] };
}

export function sessionCookies({ cookies }: Visit, token: string): readonly string[] {
  return [cookies.set('session', token, SESSION_MS / 1000), cookies.set('visit', '', 0)];
}

export function visitOf({ cookies, request }: Visit): string | null {
  const visit = cookies.read(request.headers.cookie, 'visit');
  return visit !== null && /^\w{43}$/.test(visit) ? visit : null;
}
