import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { StatusReport } from '../../operating/status.ts';
import { tableView } from './tables.ts';
import type { Visit } from './visit.ts';

/** What is late, stuck or waiting. Messages are those of the command line, in English, with the command that helps. */
export function findingsSection({ findings }: StatusReport, { texts, standing }: Visit): Html {
  if (standing !== 'projects') return html`<p class="empty">${texts.findings.unseen}</p> `;
  if (findings.length === 0) return html`<p class="empty">${texts.findings.none}</p> `;
  return html`<ul class="findings">
    ${findings.map(
      ({ severity, subject, message }) =>
        html`<li class="notice ${severity === 'problem' ? 'bad' : 'plain'}">
          <strong>${texts.findings[severity]}</strong> <code translate="no">${subject}</code>
          <span lang="en">${message}</span>
        </li> `,
    )}
  </ul> `;
}

/** Lag of each partition; of a process that does not see the log, what projectors have said of each build. */
export function lanesSection({ lanes, read_models }: StatusReport, visit: Visit): Html {
  const { texts, frame, standing } = visit;
  const { lanes: words } = texts;
  const age = (ms: number | null) => (ms === null ? '—' : frame.format.duration(ms / 1000));
  const number = (value: number | null) => (value === null ? '—' : frame.format.number(value));
  if (standing !== 'projects')
    return html`${tableView(
      words.byBuild,
      [
        { title: words.build, cell: ({ read_model }) => html`<code translate="no">${read_model}</code>` },
        { title: words.documents, cell: ({ documents }) => number(documents), isNumber: true },
        { title: words.age, cell: ({ lag_ms }) => age(lag_ms), isNumber: true },
      ],
      read_models,
    )}`;
  return html`${tableView(
    words.byLane,
    [
      { title: words.lane, cell: ({ lane }) => html`<code translate="no">${lane}</code>` },
      { title: words.lag, cell: ({ lag }) => number(lag), isNumber: true },
      { title: words.age, cell: ({ lag_ms }) => age(lag_ms), isNumber: true },
      { title: words.position, cell: ({ position }) => number(position), isNumber: true },
      { title: words.end, cell: ({ latest }) => number(latest), isNumber: true },
      {
        title: words.state,
        cell: ({ live, halted }) =>
          halted === null
            ? html`${live === null ? words.nobody : words.states[live.state]}`
            : html`<span class="state down">${words.states.halted}</span>`,
      },
      {
        title: words.owner,
        cell: ({ live }) => (live === null ? NOTHING : html`<code translate="no">${live.where}</code>`),
      },
    ],
    lanes,
  )}`;
}
