import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { ShownAct } from '../../operating/acts.ts';
import type { VerifyReport } from '../../operating/verifying.ts';
import { actForm } from './forms.ts';
import { tableView } from './tables.ts';
import type { Visit } from './visit.ts';

/** What was done here and on other processes' pages, the newest first. */
export function actsSection(acts: readonly ShownAct[], visit: Visit): Html {
  const { texts, frame } = visit;
  if (acts.length === 0) return html`<p class="empty">${texts.acts.none}</p> `;
  return tableView(
    texts.parts.acts.title,
    [
      { title: texts.acts.when, cell: ({ at }) => frame.format.moment(at) },
      {
        title: texts.acts.what,
        cell: ({ kind, subject, to }) =>
          html`${texts.acts.kinds[kind]} <code translate="no">${to ?? subject}</code>`,
      },
      { title: texts.acts.state, cell: (act) => stateOf(act, visit) },
      { title: texts.acts.said, cell: ({ said }) => html`<span lang="en">${said ?? ''}</span>` },
      { title: texts.acts.where, cell: ({ where }) => html`<code translate="no">${where}</code>` },
    ],
    acts,
  );
}

function stateOf({ state, done, total }: ShownAct, { texts, frame }: Visit): Html {
  const { format } = frame;
  const progress =
    done === 0 ? '' : ` ${format.number(done)}${total === null ? '' : ` / ${format.number(total)}`}`;
  return html`${texts.acts.states[state]}${state === 'running' ? progress : ''}`;
}

/** The last verification that has a result, and how one is had. */
export function verificationSection(
  { last, ended }: { readonly last: ShownAct | null; readonly ended: ShownAct | null },
  visit: Visit,
): Html {
  const { texts, frame } = visit;
  const { verification } = texts;
  const isRunning = last?.state === 'running';
  return html`${isRunning ? html`<p class="notice" role="status">${verification.running}${stateOf(last, visit)}</p> ` : NOTHING}
  ${
    ended?.report === undefined
      ? html`<p class="empty">${verification.none}</p> `
      : html`<p>
            <span class="state ${ended.report.ok ? 'up' : 'down'}"
              >${ended.report.ok ? verification.ok : verification.differs}</span
            >
            ${frame.say(verification.of, { at: frame.format.moment(ended.at) })}
          </p>
          ${results(ended.report, visit)}`
  }
  ${isRunning ? NOTHING : actForm({ kind: 'verify', subject: '', label: verification.run }, visit)}`;
}

function results(
  { results: models, indexes, uncompared, unfolded }: VerifyReport,
  { texts, frame }: Visit,
): Html {
  const { verification } = texts;
  const { format } = frame;
  const rows = [
    ...models.map(({ readModel, ok, documents, problems, findings: [first] }) => ({
      name: readModel,
      ok,
      compared: documents,
      problems,
      said: first === undefined ? '' : `${first.where}: ${first.problem}`,
    })),
    ...indexes.map((index) =>
      'error' in index
        ? { name: index.index, ok: false, compared: 0, problems: 1, said: index.error }
        : {
            name: `${index.index} (search)`,
            ok: index.ok,
            compared: index.entries,
            problems: index.problems,
            said: index.findings[0] ? `${index.findings[0].where}: ${index.findings[0].problem}` : '',
          },
    ),
    ...uncompared.map(({ lane, reason, from, to }) => ({
      name: lane,
      ok: reason === 'behind' || reason === 'open_transaction',
      compared: 0,
      problems: 0,
      said: `not compared from ${from} to ${to}: ${reason}`,
    })),
    ...unfolded.map((name) => ({
      name,
      ok: false,
      compared: 0,
      problems: 0,
      said: 'this release does not have its fold',
    })),
  ];
  return tableView(
    texts.parts.verification.title,
    [
      { title: verification.name, cell: ({ name }) => html`<code translate="no">${name}</code>` },
      {
        title: verification.result,
        cell: ({ ok }) =>
          html`<span class="state ${ok ? 'up' : 'down'}"
            >${ok ? verification.ok : verification.differs}</span
          >`,
      },
      { title: verification.compared, cell: ({ compared }) => format.number(compared), isNumber: true },
      { title: verification.problems, cell: ({ problems }) => format.number(problems), isNumber: true },
      { title: verification.first, cell: ({ said }) => html`<span lang="en">${said}</span>` },
    ],
    rows,
  );
}
