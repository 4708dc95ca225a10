import { termHtml } from '../../api/pages/parts/facts.ts';
import { labelledTable } from '../../api/pages/parts/table.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import type { ActView } from '../../operations/act-log.ts';
import { phrase, type Quotation } from '../../findings/finding-texts.ts';
import { phraseView } from './findings-view.ts';
import type { OperatorVisit } from './operator-context.ts';

/** What was done here and on other processes' pages, the newest first. */
export function actsSection(acts: readonly ActView[], visit: OperatorVisit): Html {
  const { texts, format } = visit;
  if (acts.length === 0) return html`<p class="empty">${texts.acts.none}</p> `;
  return labelledTable(texts.parts.acts.title, acts, [
    { title: texts.acts.when, cell: ({ at }) => format.moment(at), isMoment: true },
    {
      title: texts.acts.what,
      cell: ({ kind, subject, to }) => html`${texts.acts.kinds[kind]} ${termHtml(to ?? subject)}`,
    },
    { title: texts.acts.state, cell: (act) => progressOf(act, visit) },
    { title: texts.acts.said, cell: (act) => resultOf(act, visit) },
    { title: texts.acts.where, cell: ({ where }) => termHtml(where) },
  ]);
}

/** Its state, and how far it is or came. */
export function progressOf({ state, done, total }: ActView, { texts, format }: OperatorVisit): string {
  const isUndone = state === 'running' || state === 'broken_off';
  if (!isUndone || done === 0) return texts.acts.states[state];
  const progress = `${format.number(done)}${total === null ? '' : ` / ${format.number(total)}`}`;
  return `${texts.acts.states[state]} ${progress}`;
}

function resultOf({ result }: ActView, visit: OperatorVisit): Html | null {
  if (result === undefined) return null;
  const { results } = visit.texts.acts;
  const isWhole = !('first' in result) || result.first === null;
  return phraseView(
    phrase(
      isWhole ? results[result.code] : `${results[result.code]} ${results.first}`,
      Object.fromEntries(
        Object.entries(result).map(([name, value]) => [
          name,
          name === 'reason' || name === 'first' ? quoted(String(value)) : (value ?? ''),
        ]),
      ),
      visit.locale,
    ),
  );
}

/** Of a program's own words, in characters. */
const SHOWN = 300;

function quoted(said: string): Quotation {
  return { quoted: said.length <= SHOWN ? said : `${said.slice(0, SHOWN).toWellFormed()}...` };
}
