import type { AuditEntry } from '../../../access/accounts/audit.ts';
import type { Session } from '../../../access/accounts/sessions.ts';
import { labelledTable } from '../parts/table.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';
import type { PartContext } from './parts.ts';

/** What was done to the account, the newest first. */
export function auditTable(
  history: readonly AuditEntry[],
  { name }: Session,
  { frame, texts }: PartContext,
): Html {
  const { audit } = texts;
  const { format, say } = frame;
  const sessionOf = (session: string | null) => {
    if (session === null) return audit.operator;
    return session === name ? say(audit.here, { session }) : session;
  };
  return labelledTable(
    audit.title,
    [
      { title: audit.when, cell: ({ at }) => format.moment(at) },
      {
        title: audit.what,
        cell: ({ action, key_id: id }) =>
          html`${audit.actions[action]}${id === null ? NOTHING : html` <code translate="no">${id}</code>`}`,
      },
      { title: audit.how, cell: ({ session }) => sessionOf(session) },
    ],
    history,
  );
}
