import { labelledTable } from '../../api/pages/parts/table.ts';
import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { ShownAct } from '../../operations/act-notes.ts';
import type { VerifyReport } from '../../operations/verify.ts';
import { commandLine } from '../../platform/command-line.ts';
import { progressOf } from './acts-view.ts';
import { verifyForm } from './forms.ts';
import type { OperatorVisit } from './visit.ts';

/** The last verification that has a result, and how one is had. */
export function verificationSection(
  { last, ended }: { readonly last: ShownAct | null; readonly ended: ShownAct | null },
  visit: OperatorVisit,
): Html {
  const { verification } = visit.texts;
  const isRunning = last?.state === 'running';
  const running = isRunning
    ? html`<p class="notice" role="status">${verification.running}${progressOf(last, visit)}</p> `
    : NOTHING;
  const result =
    ended?.report === undefined
      ? html`<p class="empty">${verification.none}</p> `
      : ending(ended, ended.report, visit);
  return html`${running}${result}${isRunning ? NOTHING : verifyForm(verification.run, visit)}`;
}

function ending({ at, heard }: ShownAct, report: VerifyReport, visit: OperatorVisit): Html {
  const { texts, frame } = visit;
  const { verification } = texts;
  // The clock of the store may have been put back meanwhile.
  const time = frame.format.duration(Math.max(0, heard - Date.parse(at)) / 1000);
  return html`<p>
      ${verdict(report.ok, visit)} ${frame.say(verification.of, { at: frame.format.moment(at), time })}
    </p>
    ${report.ok ? NOTHING : html`<p>${frame.say(verification.next, { command: commandLine('rebuild …') })}</p> `}
    ${results(report, visit)}`;
}

function verdict(ok: boolean, { texts }: OperatorVisit): Html {
  const { verification } = texts;
  return html`<span class="state ${ok ? 'up' : 'down'}"
    >${ok ? verification.ok : verification.differs}</span
  >`;
}

function skipped({ ok }: Row, { texts }: OperatorVisit): Html {
  return html`<span class="state ${ok ? 'degraded' : 'down'}">${texts.verification.skipped}</span>`;
}

interface Row {
  readonly name: string | Html;
  readonly ok: boolean;
  readonly compared: number;
  readonly problems: number;
  readonly said: Html;
  /** It was not looked at. */
  readonly isSkipped?: boolean;
}

function results(report: VerifyReport, visit: OperatorVisit): Html {
  const { texts, frame } = visit;
  const { verification } = texts;
  const { format } = frame;
  return labelledTable(
    texts.parts.verification.title,
    [
      { title: verification.name, cell: ({ name }) => html`<span translate="no">${name}</span>` },
      {
        title: verification.result,
        cell: (row) => (row.isSkipped === true ? skipped(row, visit) : verdict(row.ok, visit)),
      },
      { title: verification.compared, cell: ({ compared }) => format.number(compared), isNumber: true },
      { title: verification.problems, cell: ({ problems }) => format.number(problems), isNumber: true },
      { title: verification.first, cell: ({ said }) => said },
    ],
    rowsOf(report, visit),
  );
}

function rowsOf(report: VerifyReport, visit: OperatorVisit): readonly Row[] {
  const { verification } = visit.texts;
  const { say, format } = visit.frame;
  const indexName = (name: string) => say(verification.index, { name });
  return [
    ...report.results.map(({ readModel: name, ok, documents: compared, problems, findings: [first] }) => ({
      name,
      ok,
      compared,
      problems,
      said: finding(first, visit),
    })),
    ...report.indexes.map((index) =>
      'error' in index
        ? {
            name: indexName(index.index),
            ok: false,
            compared: 0,
            problems: 1,
            said: html`${verification.unreached} <code lang="en">${index.error}</code>`,
          }
        : {
            name: indexName(index.index),
            ok: index.ok,
            compared: index.entries,
            problems: index.problems,
            said: finding(index.findings[0], visit),
          },
    ),
    ...report.uncompared.map(({ lane: name, reason, from, to }) => ({
      name,
      ok: reason === 'behind' || reason === 'open_transaction',
      compared: 0,
      problems: 0,
      isSkipped: true,
      said: html`${say(verification.uncompared[reason], { from: format.number(from), to: format.number(to) })}`,
    })),
    ...report.unfolded.map((name) => ({
      name,
      ok: false,
      compared: 0,
      problems: 0,
      isSkipped: true,
      said: html`${verification.unfolded}`,
    })),
  ];
}

/** What an earlier release has noted has no code: it is told in its own words. */
function finding(
  first: VerifyReport['results'][number]['findings'][number] | undefined,
  { texts }: OperatorVisit,
): Html {
  if (first === undefined) return NOTHING;
  const { codes } = texts.verification;
  const { where, code, problem } = first;
  return html`<code translate="no">${where}</code>:
    ${Object.hasOwn(codes, code) ? codes[code] : html`<span lang="en">${problem}</span>`}`;
}
