import { z } from 'zod';

import { isSameToken, visitToken } from './forgery.ts';
import type { Form } from '../shell/form.ts';
import type { Oidc } from './oidc.ts';
import { refuseAttempt, refuseForm, replyTo } from './sign-in.ts';
import { onwardView } from './sign-in-view.ts';
import { trouble } from './trouble.ts';
import type { Holder, Reply, Visit } from './visit.ts';

/** Signing in at a provider may take so long. */
const UNDER_WAY_S = 600;

/** What a browser brings back from a provider, in a cookie that proves itself. */
const underWay = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The one-time link of the account that is to be joined; null where none is. */
  link: z.string().nullable(),
  endsAt: z.number(),
});

function redirectUri({ home: at, locale }: Visit): string {
  return `${at.url}/${locale}/account/callback`;
}

/** Sends somebody to the provider. A page does it: browsers hold where a form leads to against the policy, and a page not. */
export async function beginIdentity(visit: Visit, oidc: Oidc, form: Form): Promise<Reply> {
  const refusal = refuseAttempt(visit) ?? refuseForm(visit, form);
  if (refusal) return refusal;
  const { parts, cookies } = visit;
  const { url, state, nonce, verifier } = await oidc.begin(redirectUri(visit));
  const endsAt = parts.clock.now() + UNDER_WAY_S * 1000;
  const text = JSON.stringify({ state, nonce, verifier, link: form['link'] ?? null, endsAt });
  const value = Buffer.from(text).toString('base64url');
  const sealed = `${value}.${visitToken(`identity ${value}`, parts.formSecret)}`;
  return {
    status: 200,
    view: onwardView(visit, oidc.name, url),
    cookies: [cookies.set('identity', sealed, UNDER_WAY_S)],
  };
}

/** Somebody comes back. What was begun in another browser, or too long ago, counts for nothing. */
export async function finishIdentity(visit: Visit, oidc: Oidc, holder: Holder | null): Promise<Reply> {
  const refusal = refuseAttempt(visit);
  if (refusal) return refusal;
  const reply = await finished(visit, oidc, holder);
  // What was begun is over, whatever came of it.
  return { ...reply, cookies: [visit.cookies.set('identity', '', 0), ...(reply.cookies ?? [])] };
}

async function finished(visit: Visit, oidc: Oidc, holder: Holder | null): Promise<Reply> {
  const begun = readUnderWay(visit);
  if (begun === null) return trouble(visit, 'provider');
  const { parts, request } = visit;
  const answer = new URL(redirectUri(visit));
  answer.search = request.url.split('?').slice(1).join('?');
  const identity = await oidc.finish(answer, begun);
  if (identity === null) return trouble(visit, 'provider');
  if (!oidc.allows(identity)) return trouble(visit, 'identity');
  return replyTo(visit, await parts.accounts.signInByIdentity(identity, begun.link, holder?.token ?? null));
}

function readUnderWay({ cookies, request, parts }: Visit) {
  const sealed = cookies.read(request.headers.cookie, 'identity');
  const [value = '', proof] = (sealed ?? '').split('.');
  if (!isSameToken(proof, visitToken(`identity ${value}`, parts.formSecret))) return null;
  const read = underWay.parse(JSON.parse(Buffer.from(value, 'base64url').toString()));
  return read.endsAt > parts.clock.now() ? read : null;
}
