import { termHtml } from '../../api/pages/parts/facts.ts';
import { labelledTable } from '../../api/pages/parts/table.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import type { BuildProgress } from '../../operations/overview.ts';
import type { Version } from '../../operations/list-builds.ts';
import { actLink, mayAct } from './act-controls.ts';
import type { OperatorVisit } from './operator-context.ts';

/** The builds of each read model, how far each is, and what can be done with it: the same as the commands do. */
export function buildsSection(builds: readonly (Version & BuildProgress)[], visit: OperatorVisit): Html {
  const { texts, format } = visit;
  const { builds: words } = texts;
  return labelledTable(texts.parts.builds.title, builds, [
    { title: words.build, cell: ({ build }) => termHtml(build) },
    { title: words.state, cell: ({ state }) => words.states[state] },
    { title: words.progress, cell: (build) => progressOf(build, visit) },
    {
      title: words.age,
      cell: ({ lag_ms: ms }) => format.duration(ms),
      isNumber: true,
    },
    { title: words.documents, cell: ({ documents }) => format.number(documents), isNumber: true },
    { title: words.complete, cell: ({ complete_since: at }) => format.moment(at), isMoment: true },
    { title: words.verified, cell: ({ verified_at: at }) => format.moment(at), isMoment: true },
    ...(mayAct(visit) ? [{ title: words.acts, cell: (build: Version) => actsOn(build, visit) }] : []),
  ]);
}

/** The share of the log that its lanes have consumed, and what is left. */
function progressOf(
  { share, left, state }: Version & BuildProgress,
  { texts, say, format }: OperatorVisit,
): Html {
  if (share === null) return html`—`;
  const { builds: words } = texts;
  const said = left ? say(words.toGo, { count: left }) : state === 'building' ? words.fills : null;
  // What is not whole must not look whole.
  const percent = Math.floor(share * 1000) / 10;
  return html`${format.percent(percent, percent === 100 ? 0 : 1)}
  ${said !== null && html`<span class="small">${said}</span>`}`;
}

function actsOn({ read_model: name, build, state, rollback }: Version, visit: OperatorVisit): Html | null {
  const { builds: words } = visit.texts;
  switch (state) {
    case 'live':
      return null;
    case 'before':
      // After a rollback it is the newer one: only a cut-over goes back to that.
      if (!rollback) return cut();
      return html`${actLink({ kind: 'rollback', subject: name, label: words.rollback, about: build }, visit)}${cut()}`;
    case 'ready':
      return html`${cut()}${cancel(words.drop)}`;
    case 'building':
      return cancel(words.cancel);
  }

  function cut(): Html | null {
    return actLink({ kind: 'cut_over', subject: name, to: build, label: words.cutOver, about: build }, visit);
  }
  function cancel(label: string): Html | null {
    return actLink({ kind: 'cancel', subject: build, label, about: build }, visit);
  }
}
