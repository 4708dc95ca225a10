import { html, type Html } from '../../api/pages/shell/html.ts';
import { postForm } from '../../api/pages/shell/posted-form.ts';
import type { Act } from '../../operations/act-log.ts';
import type { OperatorVisit } from './operator-context.ts';

interface ActLink extends Act {
  /** On the link. */
  readonly label: string;
  /** What it is about, for those who hear the links one after the other. */
  readonly about?: string;
}

/** Leads to what an act would do, where it is confirmed; nothing where the reader may not do it here. */
export function actLink({ label, about, ...act }: ActLink, visit: OperatorVisit): Html | null {
  if (!mayAct(visit)) return null;
  return html`<a class="button quiet act" href="/${visit.locale}${confirmPlace(act)}"
    >${label}…${about !== undefined && html`<span class="hidden" translate="no"> ${about}</span>`}</a
  > `;
}

/** Where an act is confirmed, below the language. */
export function confirmPlace({ kind, subject, to }: Act): string {
  const query = new URLSearchParams({ kind, subject, ...(to === undefined ? {} : { to }) });
  return `/confirm?${query.toString()}`;
}

/** Changes nothing, so it is begun at once. */
export function verifyForm(label: string, visit: OperatorVisit): Html | null {
  const { session, locale } = visit;
  if (session === null || !mayAct(visit)) return null;
  const button = html`<button class="button quiet">${label}</button>`;
  return postForm(`/${locale}/act`, { csrf: session.csrf, kind: 'verify' }, button, 'act');
}

/** Whether there is anything that this reader may do here. */
export function mayAct({ session, role }: OperatorVisit): boolean {
  return session !== null && role === 'project';
}

/** Where the secret is said, or taken back; or why nothing can be changed here. */
export function lockView({ session, role, hasSecret, locale, texts }: OperatorVisit): Html | null {
  const { lock } = texts;
  if (role !== 'project') return null;
  if (!hasSecret) return html`<p class="notice plain">${lock.none}</p> `;
  if (session !== null) {
    const content = html`<p>${lock.open}</p>
      <button class="button quiet">${lock.close}</button>`;
    return postForm(`/${locale}/sign-out`, { csrf: session.csrf }, content, 'lock card');
  }
  return html`<form method="post" action="/${locale}/sign-in" class="lock card">
    <label for="secret">${lock.label}</label>
    <input
      id="secret"
      name="secret"
      type="password"
      required
      autocomplete="current-password"
      aria-describedby="lock-hint"
    />
    <button class="button">${lock.button}</button>
    <p id="lock-hint" class="quiet small">${lock.hint}</p>
  </form> `;
}
