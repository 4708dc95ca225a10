import type { AuditEntry } from '../../../access/accounts/audit.ts';
import type { Session } from '../../../access/accounts/sessions.ts';
import { unixMs } from '../../../platform/time/instant.ts';
import { isActive, PLACES, type ShownKey } from '../../../access/keys/account-document.ts';
import type { Usage } from '../../../access/quota/usage.ts';
import { html, type Html } from '../shell/html.ts';
import { postForm } from '../shell/posted-form.ts';
import { keyCard, lastUseOf, type CreatedKey, madeView } from './key-view.ts';
import { accountAddress, accountPage, type PartContext } from './account-layout.ts';
import type { Notice, Refused } from './account-context.ts';
import { usageChart } from './usage-chart.ts';
import { termHtml } from '../parts/facts.ts';
import { labelledTable } from '../parts/table.ts';

export interface Dashboard {
  readonly session: Session;
  /** As they are listed: oldest first. */
  readonly keys: readonly ShownKey[];
  readonly usage: Usage;
  readonly history: readonly AuditEntry[];
  readonly dailyLimit: number;
  /** A name for the form that makes a key, and of no other. */
  readonly form: string;
  readonly made?: CreatedKey;
  readonly notice?: Notice | null;
  readonly refused?: Refused;
}

/** The account as one page: keys, what they use, and what was done. */
export function dashboardView(shown: Dashboard, visit: PartContext): Html {
  const { texts, say, format } = visit;
  const { session, keys, usage, made, notice, refused } = shown;
  const now = unixMs(usage.now);
  const active = keys.filter((key) => isActive(key, now));
  const ended = keys.filter((key) => !isActive(key, now)).toReversed();
  const content = html`<main id="content" class="page">
    <div class="heading">
      <h1>${texts.title}</h1>
      ${postForm(accountAddress(visit, '/sign-out'), { csrf: session.csrf }, html`<button class="button quiet">${texts.signOut}</button>`)}
    </div>
    <p class="quiet">
      ${say(texts.account, { account: session.account })}.
      ${say(texts.until, { at: format.moment(session.expires_at) })}
    </p>
    ${notice && html`<p class="notice" role="status">${texts.done[notice]}</p> `}
    ${refused && html`<p class="notice bad" role="alert">${texts.refused[refused]}</p> `}
    ${made && madeView(made, visit)}
    <section aria-labelledby="keys">
      <div class="heading">
        <h2 id="keys">${texts.keys.title}</h2>
        <p class="quiet">${say(texts.keys.count, { count: active.length, limit: PLACES })}</p>
      </div>
      ${active.length === 0 && html`<p class="empty">${texts.keys.none}</p> `}
      <div class="keys">${active.map((key) => keyCard(key, shown, visit))}</div>
      ${active.length < PLACES ? createForm(shown, visit) : html`<p class="quiet">${say(texts.create.full, { limit: PLACES })}</p> `}
    </section>
    <section class="card" aria-labelledby="use">
      <h2 id="use">${texts.use.title}</h2>
      ${usageChart(usage, keys, visit)}
    </section>
    ${ended.length > 0 && endedKeys(ended, shown, visit)}
    <section class="card" aria-labelledby="audit">
      <h2 id="audit">${texts.audit.title}</h2>
      ${auditTable(shown.history, session, visit)}
    </section>
  </main> `;
  return accountPage(visit, { title: texts.title, scripts: ['account.js'], content });
}

function createForm({ session: { csrf }, form }: Dashboard, said: PartContext): Html {
  const { create } = said.texts;
  const fields = html`<h3>${create.title}</h3>
    <label for="label">${create.label}</label>
    <input id="label" name="label" maxlength="100" autocomplete="off" aria-describedby="label-hint" />
    <p id="label-hint" class="quiet small">${create.hint}</p>
    <button class="button">${create.button}</button>`;
  return postForm(accountAddress(said, '/keys'), { csrf, form }, fields, 'card create');
}

function endedKeys(ended: readonly ShownKey[], { usage }: Dashboard, said: PartContext): Html {
  const { texts, format, say } = said;
  const { keys } = texts;
  return html`<section class="card" aria-labelledby="ended">
    <details>
      <summary><h2 id="ended" class="small">${keys.endedTitle}: ${ended.length}</h2></summary>
      <ul class="plain">
        ${ended.map((key) => {
          const { id, label, revoked_at, expires_at } = key;
          return html`<li>
            <strong>${label ?? keys.unnamed}</strong> ${termHtml(id)}
            <span class="quiet"
              >${say(keys.ended, { at: format.moment(revoked_at ?? expires_at ?? '') })}. ${keys.lastUsed}:
              ${lastUseOf(key, usage, said)}</span
            >
          </li> `;
        })}
      </ul>
    </details>
  </section> `;
}

/** What was done to the account, the newest first. */
function auditTable(
  history: readonly AuditEntry[],
  { name }: Session,
  { texts, format, say }: PartContext,
): Html {
  const { audit } = texts;
  const sessionOf = (session: string | null) => {
    if (session === null) return audit.operator;
    return session === name ? say(audit.here, { session }) : session;
  };
  return labelledTable(audit.title, history, [
    { title: audit.when, cell: ({ at }) => format.moment(at) },
    {
      title: audit.what,
      cell: ({ action, key_id: id }) =>
        html`${audit.actions[action]}${id !== null && html` ${termHtml(id)}`}`,
    },
    { title: audit.how, cell: ({ session }) => sessionOf(session) },
  ]);
}
