import { labelledTable } from '../../api/pages/parts/table.ts';
import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { ShownAct } from '../../operations/act-notes.ts';
import type { ActResult } from '../../operations/act-result.ts';
import type { OperatorVisit } from './visit.ts';

/** What was done here and on other processes' pages, the newest first. */
export function actsSection(acts: readonly ShownAct[], visit: OperatorVisit): Html {
  const { texts, frame } = visit;
  if (acts.length === 0) return html`<p class="empty">${texts.acts.none}</p> `;
  return labelledTable(
    texts.parts.acts.title,
    [
      { title: texts.acts.when, cell: ({ at }) => frame.format.moment(at), isMoment: true },
      {
        title: texts.acts.what,
        cell: ({ kind, subject, to }) =>
          html`${texts.acts.kinds[kind]} <code translate="no">${to ?? subject}</code>`,
      },
      { title: texts.acts.state, cell: (act) => progressOf(act, visit) },
      { title: texts.acts.said, cell: (act) => resultOf(act, visit) },
      { title: texts.acts.where, cell: ({ where }) => html`<code translate="no">${where}</code>` },
    ],
    acts,
  );
}

/** Its state, and how far it is. */
export function progressOf({ state, done, total }: ShownAct, { texts, frame }: OperatorVisit): string {
  if (state !== 'running' || done === 0) return texts.acts.states[state];
  const { format } = frame;
  const progress = `${format.number(done)}${total === null ? '' : ` / ${format.number(total)}`}`;
  return `${texts.acts.states[state]} ${progress}`;
}

/** What an earlier release has noted is a line of English. */
function resultOf({ result, said }: ShownAct, visit: OperatorVisit): Html {
  if (result !== undefined) return resultView(result, visit);
  return said === null ? NOTHING : quoted(said);
}

function resultView(result: ActResult, { texts, frame }: OperatorVisit): Html {
  const { results } = texts.acts;
  const { format, say } = frame;
  switch (result.code) {
    case 'redriven': {
      const { redriven, still_rejected, gone, chosen, first } = result;
      const counts = {
        redriven: format.number(redriven),
        still: format.number(still_rejected),
        gone: format.number(gone),
        chosen: format.number(chosen),
      };
      const rest = first === null ? NOTHING : html` ${results.first} ${quoted(first)}`;
      return html`${say(results.redriven, counts)}${rest}`;
    }
    case 'live':
      return html`${say(results.live, { live: result.live, from: result.from })}`;
    case 'removed':
      return html`${say(results.removed, { build: result.build })}`;
    case 'equal':
    case 'differs':
      return html`${results[result.code]}`;
    case 'refused':
    case 'failed':
    case 'fault':
      return html`${results[result.code]} ${quoted(result.reason)}`;
  }
}

/** Of a program's own words, in characters. */
const SHOWN = 300;

function quoted(said: string): Html {
  const text = said.length <= SHOWN ? said : `${said.slice(0, SHOWN).toWellFormed()}...`;
  return html`<q lang="en">${text}</q>`;
}
