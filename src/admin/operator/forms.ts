import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { ActKind } from '../../operating/acts.ts';
import type { Visit } from './visit.ts';

interface ActForm {
  readonly kind: ActKind;
  readonly subject: string;
  readonly to?: string;
  /** On the button. */
  readonly label: string;
  /** What it is about, for those who hear the buttons one after the other. */
  readonly about?: string;
}

/** The button for an act; nothing where the reader may not do it here. */
export function actForm(
  { kind, subject, to, label, about }: ActForm,
  { session, standing, locale }: Visit,
): Html {
  if (session === null || standing !== 'projects') return NOTHING;
  return html`<form method="post" action="/${locale}/act" class="act">
    <input type="hidden" name="csrf" value="${session.csrf}" />
    <input type="hidden" name="kind" value="${kind}" />
    <input type="hidden" name="subject" value="${subject}" />
    ${to === undefined ? NOTHING : html`<input type="hidden" name="to" value="${to}" />`}
    <button class="button quiet">
      ${label}${about === undefined ? NOTHING : html`<span class="hidden"> ${about}</span>`}
    </button>
  </form> `;
}

/** Where the secret is said, or taken back; or why nothing can be changed here. */
export function lockView({ session, standing, hasSecret, locale, texts }: Visit): Html {
  const { lock } = texts;
  if (standing !== 'projects') return html`<p class="notice">${lock.elsewhere[standing]}</p> `;
  if (!hasSecret) return html`<p class="notice">${lock.none}</p> `;
  if (session !== null)
    return html`<form method="post" action="/${locale}/sign-out" class="lock card">
      <input type="hidden" name="csrf" value="${session.csrf}" />
      <p>${lock.open}</p>
      <button class="button quiet">${lock.close}</button>
    </form> `;
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
