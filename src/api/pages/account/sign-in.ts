import type { SignInResult } from '../../../access/accounts/sign-in.ts';
import { newToken } from '../../../access/accounts/tokens.ts';
import { SESSION_MS } from '../../../access/accounts/sessions.ts';
import { type Form, hasToken, visitToken } from '../shell/posted-form.ts';
import { home } from './actions.ts';
import { linkView, signInView } from './sign-in-view.ts';
import { trouble } from './account-layout.ts';
import type { Reply, PageReply } from '../shell/reply.ts';
import type { AccountVisit, Holder, Notice } from './account-context.ts';

/** A form may stand open for so long before it is sent. */
const VISIT_S = 3600;

/** How one gets in. */
export function signInPage(visit: AccountVisit, notice: Notice | null): PageReply {
  const { name } = visit.parts.oidc ?? { name: null };
  if (name === null) return { status: 200, view: signInView(visit, notice, null) };
  const { csrf, cookies } = boundToVisit(visit);
  return { status: 200, view: signInView(visit, notice, { name, csrf }), cookies };
}

/** More than a one-time link has. */
const LONGEST_LINK = 64;

/** What a one-time link opens: a form that uses it up. */
export function linkPage(visit: AccountVisit, sent: string): PageReply {
  const link = sent.slice(0, LONGEST_LINK);
  const { csrf, cookies } = boundToVisit(visit);
  return {
    status: 200,
    view: linkView(visit, { link, csrf, provider: visit.parts.oidc?.name ?? null }),
    cookies,
  };
}

/** What binds a form to this browser. A cookie that is there already is kept: the form in another tab is bound to it. */
function boundToVisit(visit: AccountVisit) {
  const at = visitsOf(visit)[0] ?? newToken();
  const csrf = visitToken(at, visit.parts.formSecret);
  return { csrf, cookies: [visit.cookies.set(`visit_${at.slice(0, 16)}`, at, VISIT_S)] };
}

/** Signs in by a one-time link. Whoever was signed in before is not any more. */
export async function signIn(visit: AccountVisit, holder: Holder | null, form: Form): Promise<Reply> {
  const refusal = refuseForm(visit, form);
  if (refusal) return refusal;
  const link = form['link'] ?? '';
  return replyTo(visit, await visit.parts.accounts.signInByLink(link, holder?.token ?? null));
}

/** Every attempt to sign in at a provider is counted, by address, whatever comes of it. */
export function refuseAttempt(visit: AccountVisit): PageReply | null {
  const waitS = visit.limits.signIns.take(visit.address);
  return waitS === null ? null : trouble(visit, 'often', waitS);
}

/** A form from before anybody is signed in has to be of this very browser. */
export function refuseForm(visit: AccountVisit, form: Form): PageReply | null {
  const isOurs = visitsOf(visit).some((one) => hasToken(form, visitToken(one, visit.parts.formSecret)));
  return isOurs ? null : trouble(visit, 'forged');
}

/** Whoever is signed in goes on to the account. */
export function replyTo(visit: AccountVisit, signedIn: SignInResult): Reply {
  if (signedIn.outcome !== 'signed_in') return trouble(visit, signedIn.outcome);
  return { ...home(visit, null), cookies: sessionCookies(visit, signedIn.session.token) };
}

export async function signOut(visit: AccountVisit, holder: Holder): Promise<Reply> {
  await visit.parts.accounts.signOut(holder.token);
  return { ...home(visit, 'out'), cookies: [visit.cookies.set('session', '', 0)] };
}

function sessionCookies({ cookies, request }: AccountVisit, token: string): readonly string[] {
  const visits = cookies.names(request.headers, 'visit_');
  return [
    cookies.set('session', token, SESSION_MS / 1000),
    ...visits.map((name) => cookies.set(name, '', 0)),
  ];
}

/** More than one where tabs were opened at once, before any of them had an answer. */
function visitsOf({ cookies, request }: AccountVisit): readonly string[] {
  return cookies
    .names(request.headers, 'visit_')
    .map((name) => cookies.read(request.headers, name) ?? '')
    .filter((value) => /^\w{43}$/.test(value));
}
