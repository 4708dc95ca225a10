import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { ParkedSummary, Section } from '../../operating/overview.ts';
import type { ParkedGroup } from '../../operating/status.ts';
import { actForm } from './forms.ts';
import { tableView } from './tables.ts';
import type { Visit } from './visit.ts';

/** Parked events by reason, and the oldest of them. All that events say is text of others, and shown as text. */
export function parkedSection(
  groups: readonly ParkedGroup[],
  oldest: Section<readonly ParkedSummary[]>,
  visit: Visit,
): Html {
  const { texts, frame, locale } = visit;
  const { parked } = texts;
  if (groups.length === 0) return html`<p class="empty">${parked.none}</p> `;
  const byReason = tableView(
    parked.byReason,
    [
      { title: parked.code, cell: ({ code }) => html`<code translate="no">${code}</code>` },
      { title: parked.build, cell: ({ read_model }) => html`<code translate="no">${read_model}</code>` },
      { title: parked.topic, cell: ({ topic }) => html`<code translate="no">${topic}</code>` },
      { title: parked.count, cell: ({ count }) => frame.format.number(count), isNumber: true },
      {
        title: parked.act,
        cell: ({ topic, code }) => {
          const subject = `${topic} ${code}`;
          return actForm({ kind: 'redrive_all', subject, label: parked.redriveAll, about: subject }, visit);
        },
      },
    ],
    groups,
  );
  if (!('value' in oldest)) return byReason;
  return html`${byReason}
    <h3>${parked.oldest}</h3>
    ${tableView(
      parked.oldest,
      [
        {
          title: parked.id,
          cell: ({ id }) =>
            html`<a href="/${locale}/parked?id=${encodeURIComponent(id)}"
              ><code translate="no">${id}</code></a
            >`,
        },
        { title: parked.since, cell: ({ parkedAt }) => frame.format.moment(parkedAt) },
        {
          title: parked.type,
          cell: ({ type }) => (type === null ? NOTHING : html`<code translate="no">${type}</code>`),
        },
        { title: parked.subject, cell: ({ subject }) => html`<span translate="no">${subject ?? '—'}</span>` },
        { title: parked.reason, cell: ({ reason }) => html`<span lang="en">${reason}</span>` },
        {
          title: parked.act,
          cell: ({ id }) =>
            actForm({ kind: 'redrive', subject: id, label: parked.redrive, about: id }, visit),
        },
      ],
      oldest.value,
    )}`;
}
