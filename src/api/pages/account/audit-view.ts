import type { AuditEntry } from '../../../access/accounts/audit.ts';
import type { Session } from '../../../access/accounts/sessions.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';
import type { Visit } from './visit.ts';

/** What was done to the account, the newest first. */
export function auditTable(
  history: readonly AuditEntry[],
  { name }: Session,
  { frame, texts }: Pick<Visit, 'frame' | 'texts'>,
): Html {
  const { audit } = texts;
  const { format, say } = frame;
  const sessionOf = (session: string | null) => {
    if (session === null) return audit.operator;
    return session === name ? say(audit.here, { session }) : session;
  };
  return html`<div class="table labelled" role="group" tabindex="0" aria-label="${audit.title}">
    <table>
      <thead>
        <tr>
          <th scope="col">${audit.when}</th>
          <th scope="col">${audit.what}</th>
          <th scope="col">${audit.how}</th>
        </tr>
      </thead>
      <tbody>
        ${history.map(
          ({ at, action, keyId, session }) =>
            html`<tr>
              <th scope="row">${format.moment(at)}</th>
              <td data-label="${audit.what}">
                <div>
                  ${audit.actions[action]}${keyId === null ? NOTHING : html` <code translate="no">${keyId}</code>`}
                </div>
              </td>
              <td data-label="${audit.how}"><div>${sessionOf(session)}</div></td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}
