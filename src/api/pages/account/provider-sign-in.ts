import type { Form } from '../shell/posted-form.ts';
import { home } from './actions.ts';
import type { SignInFailure } from './oidc/failure.ts';
import type { Oidc } from './oidc/code-flow.ts';
import { beginPending, endPending, readPending } from './pending-sign-ins.ts';
import { refuseAttempt, refuseForm, replyTo } from './sign-in.ts';
import { onwardView } from './sign-in-view.ts';
import { linkAddress, trouble } from './account-layout.ts';
import type { Reply } from '../shell/reply.ts';
import type { AccountVisit, Holder } from './account-context.ts';

/** What comes back and was not begun in this browser, or too long ago: often a cookie that was lost. */
const STALE = {
  outcome: 'stale',
  code: 'STATE',
  word: null,
  reason: 'no sign-in with this state is pending',
} as const;

/** Until a provider that does not answer may be asked again. */
const RETRY_S = 10;

function redirectUri({ home: at, locale }: AccountVisit): string {
  return `${at.url}/${locale}/account/callback`;
}

/** Sends somebody to the provider. A page does it: browsers hold where a form leads to against the policy, and a page not. */
export async function beginIdentity(
  visit: AccountVisit,
  oidc: Oidc,
  form: Form,
  holder: Holder | null,
): Promise<Reply> {
  const link = form['link'] ?? null;
  // Another tab has signed in meanwhile.
  if (holder && link === null) return home(visit, null);
  const refusal = refuseAttempt(visit) ?? refuseForm(visit, form);
  if (refusal) return refusal;
  const begun = await oidc.begin(redirectUri(visit));
  if (begun.outcome !== 'begun') return explain(visit, begun, link);
  const { url, state, nonce, verifier } = begun;
  return {
    status: 200,
    view: onwardView(visit, oidc.name, url),
    cookies: beginPending(visit, { state, nonce, verifier, link }),
  };
}

/** Somebody comes back. What was begun in another browser, or too long ago, counts for nothing. */
export async function finishIdentity(visit: AccountVisit, oidc: Oidc, holder: Holder | null): Promise<Reply> {
  const refusal = refuseAttempt(visit);
  if (refusal) return refusal;
  const state = visit.query.get('state') ?? '';
  const pending = /^[\w-]{43}$/.test(state) ? readPending(visit, state) : null;
  if (pending === null) {
    // Whoever reloads the address that a sign-in came back to stays signed in.
    if (holder) return home(visit, null);
    return explain(visit, STALE);
  }
  const answer = new URL(redirectUri(visit));
  answer.search = visit.query.toString();
  const reply = await finished(visit, oidc, holder, { answer, pending });
  // What was begun is over, whatever came of it.
  return { ...reply, cookies: [endPending(visit, state), ...(reply.cookies ?? [])] };
}

async function finished(
  visit: AccountVisit,
  oidc: Oidc,
  holder: Holder | null,
  {
    answer,
    pending,
  }: { readonly answer: URL; readonly pending: NonNullable<ReturnType<typeof readPending>> },
): Promise<Reply> {
  const came = await oidc.finish(answer, pending);
  if (came.outcome === 'cancelled' && pending.link !== null)
    return { goTo: linkAddress(visit, pending.link) };
  if (came.outcome !== 'identified') return explain(visit, came, pending.link);
  const { identity } = came;
  if (!oidc.allows(identity)) return trouble(visit, 'identity', null, pending.link);
  const { accounts } = visit.parts;
  return replyTo(visit, await accounts.signInByIdentity(identity, pending.link, holder?.token ?? null));
}

/** Tells people what to do, and the operator why, in a line that nobody can repeat without end. */
function explain(
  visit: AccountVisit,
  { outcome, code, word, reason }: SignInFailure | typeof STALE,
  link: string | null = null,
): Reply {
  if (outcome === 'cancelled') return home(visit, 'cancelled');
  const { parts, limits } = visit;
  if (limits.failures.take(outcome) === null)
    parts.logger.warn({ outcome, code, word, reason }, 'a sign-in at the provider failed');
  return trouble(visit, outcome, outcome === 'unreachable' ? RETRY_S : null, link);
}
