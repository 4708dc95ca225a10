import { checkHostAndFraming } from '../../http/check-host-and-framing.ts';
import { type Form, comesFromUs, hasToken } from '../shell/posted-form.ts';
import { type Reply, isLook } from '../shell/reply.ts';
import { act, ACTIONS, dashboard, home } from './actions.ts';
import { beginIdentity, finishIdentity } from './provider-sign-in.ts';
import { linkPage, signIn, signInPage, signOut } from './sign-in.ts';
import { trouble } from './account-layout.ts';
import type { AccountVisit, Holder, Notice } from './account-context.ts';

/**
 * Decides what is answered. Nothing is changed by looking: only forms do, and each of them is proven to be ours. `form` is what
 * was sent; null where that is none.
 */
export async function answerVisit(visit: AccountVisit, form: Form | null): Promise<Reply> {
  const { request } = visit;
  if (checkHostAndFraming(request)) return trouble(visit, 'large');
  if (isLook(request)) return await look(visit);
  if (request.method !== 'POST') return trouble(visit, 'method');
  return await answerForm(visit, form);
}

/** The addresses that answer a form alone: whoever asks for one without it is led to the page. */
const FORMS: ReadonlySet<string> = new Set([...ACTIONS.keys(), '/sign-out', '/identity']);

async function look(visit: AccountVisit): Promise<Reply> {
  const { path, query } = visit;
  if (path === '/sign-in') {
    const link = query.get('link');
    return link === null ? home(visit, null) : linkPage(visit, link);
  }
  const { oidc } = visit.parts;
  if (path === '/callback' && oidc) return await finishIdentity(visit, oidc, await holderOf(visit));
  if (FORMS.has(path)) return home(visit, null);
  if (path !== '') return trouble(visit, 'missing');
  const holder = await holderOf(visit);
  const done = query.get('done');
  const notice = done !== null && Object.hasOwn(visit.texts.done, done) ? (done as Notice) : null;
  return holder ? await dashboard(visit, holder, { notice }) : signInPage(visit, notice);
}

async function answerForm(visit: AccountVisit, form: Form | null): Promise<Reply> {
  const { path, request, home: at, limits } = visit;
  const action = ACTIONS.get(path);
  const { oidc } = visit.parts;
  const isKnown = action || path === '/sign-in' || path === '/sign-out' || (path === '/identity' && oidc);
  if (!isKnown) return trouble(visit, 'missing');
  if (form === null) return trouble(visit, 'large');
  if (!comesFromUs(request.headers, at.isConfigured ? new URL(at.url).origin : null))
    return trouble(visit, 'forged');
  const holder = await holderOf(visit);
  if (path === '/identity' && oidc) return await beginIdentity(visit, oidc, form, holder);
  if (path === '/sign-in') return await signIn(visit, holder, form);
  if (!holder || !hasToken(form, holder.session.csrf)) return trouble(visit, 'forged');
  if (!action) return await signOut(visit, holder);
  const waitS = limits.forms.take(holder.session.account);
  return waitS === null ? await act(action, visit, holder, form) : trouble(visit, 'often', waitS);
}

async function holderOf({ parts, cookies, request }: AccountVisit): Promise<Holder | null> {
  const token = cookies.read(request.headers, 'session');
  const session = token === null ? null : await parts.accounts.sessions.find(token);
  return token === null || session === null ? null : { session, token };
}
