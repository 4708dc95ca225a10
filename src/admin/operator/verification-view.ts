import { termHtml } from '../../api/pages/parts/facts.ts';
import { html, type Html, type Part } from '../../api/pages/shell/html.ts';
import type { ActView } from '../../operations/act-log.ts';
import { gapPlaces, type VerifyReport } from '../../operations/verify.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { progressOf } from './act-log-view.ts';
import { verifyForm } from './act-controls.ts';
import type { OperatorVisit } from './operator-context.ts';

/** The last verification that has a result, and how one is had. */
export function verificationSection(
  { last, ended }: { readonly last: ActView | null; readonly ended: ActView | null },
  visit: OperatorVisit,
): Html {
  const { verification } = visit.texts;
  const isRunning = last?.state === 'running';
  const running =
    isRunning && html`<p class="notice" role="status">${verification.running}${progressOf(last, visit)}</p> `;
  const result =
    ended?.report === undefined
      ? html`<p class="empty">${verification.none}</p> `
      : ending(ended, ended.report, visit);
  return html`${running}${result}${!isRunning && verifyForm(verification.run, visit)}`;
}

function ending({ at, heard }: ActView, report: VerifyReport, visit: OperatorVisit): Html {
  const { texts, format, say } = visit;
  const { verification } = texts;
  // The clock of the store may have been put back meanwhile.
  const time = format.duration(Math.max(0, heard - Date.parse(at)));
  return html`<p>
      <span class="state ${report.ok ? 'up' : 'down'}"
        >${report.ok ? verification.ok : verification.differs}</span
      >
      ${say(verification.of, { at: format.moment(at), time })}
    </p>
    <ul>
      ${oddIn(report, visit)}
    </ul>
    ${!report.ok && html`<p>${say(verification.next, { command: commandLine('builds rebuild …') })}</p> `}`;
}

/** What differs, with the first of it, and what was not compared. */
function oddIn({ results, indexes, uncompared, unfolded }: VerifyReport, visit: OperatorVisit) {
  const { verification } = visit.texts;
  const item = (name: string, text: Part): Html => html`<li>${termHtml(name)} ${text}</li> `;
  return [
    ...results.filter(({ ok }) => !ok).map((one) => item(one.readModel, differenceIn(one, visit))),
    ...indexes
      .filter(({ ok }) => !ok)
      .map((one) => {
        const unreached = 'error' in one && html`${verification.unreached} <q lang="en">${one.error}</q>`;
        return item(`search ${one.index}`, 'error' in one ? unreached : differenceIn(one, visit));
      }),
    ...uncompared.map((gap) =>
      item(gap.lane, visit.say(verification.uncompared[gap.reason], gapPlaces(gap))),
    ),
    ...unfolded.map((name) => item(name, verification.unfolded)),
  ];
}

/** What an earlier release has noted has no code: it is told in its own words. */
function differenceIn(
  { problems, findings: [first] }: Pick<VerifyReport['results'][number], 'problems' | 'findings'>,
  { texts, say }: OperatorVisit,
): Html | null {
  if (first === undefined) return null;
  const { codes, count } = texts.verification;
  const { where, code, problem } = first;
  return html`${say(count, { count: problems })} ${termHtml(where)}:
  ${Object.hasOwn(codes, code) ? codes[code] : html`<q lang="en">${problem}</q>`}`;
}
