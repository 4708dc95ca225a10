import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { Section } from '../../operating/overview.ts';
import type { LaneStatus, StatusReport } from '../../operating/status.ts';
import type { Version } from '../../operating/versions.ts';
import { actForm } from './forms.ts';
import { tableView } from './tables.ts';
import type { Visit } from './visit.ts';

/** The builds of each read model, how far each is, and what can be done with it: the same as the commands do. */
export function buildsSection(builds: readonly Version[], status: Section<StatusReport>, visit: Visit): Html {
  const { texts, frame } = visit;
  const { builds: words } = texts;
  const lanes = 'value' in status ? status.value.lanes : [];
  const when = (at: string | null) => (at === null ? '—' : frame.format.moment(at));
  return tableView(
    texts.parts.builds.title,
    [
      { title: words.build, cell: ({ build }) => html`<code translate="no">${build}</code>` },
      { title: words.state, cell: ({ state }) => words.states[state] },
      { title: words.progress, cell: ({ build }) => progressOf(build, lanes, visit), isNumber: true },
      { title: words.documents, cell: ({ documents }) => frame.format.number(documents), isNumber: true },
      { title: words.complete, cell: ({ complete_since: at }) => when(at) },
      { title: words.verified, cell: ({ verified_at: at }) => when(at) },
      { title: words.servers, cell: ({ servers }) => frame.format.number(servers), isNumber: true },
      { title: words.acts, cell: (build) => actsOn(build, visit) },
    ],
    builds,
  );
}

/** The share of the log that its lanes have consumed. */
function progressOf(build: string, lanes: readonly LaneStatus[], { frame }: Visit): Html {
  const own = lanes.filter(({ lane }) => lane.startsWith(`${build}/`));
  const whole = own.reduce((sum, { earliest, latest }) => sum + latest - earliest, 0);
  const left = own.reduce((sum, { lag }) => sum + lag, 0);
  if (own.length === 0) return html`—`;
  const share = whole === 0 ? 1 : 1 - left / whole;
  // What is not whole must not look whole.
  const percent = Math.floor(share * 1000) / 10;
  return html`${frame.format.percent(percent, percent === 100 ? 0 : 1)}`;
}

function actsOn({ read_model: name, build, state }: Version, visit: Visit): Html {
  const { builds: words } = visit.texts;
  switch (state) {
    case 'live':
      return NOTHING;
    case 'before':
      return html`${actForm({ kind: 'rollback', subject: name, label: words.rollback, about: build }, visit)}${cut()}`;
    case 'ready':
      return html`${cut()}${cancel(words.drop)}`;
    case 'building':
      return cancel(words.cancel);
  }

  function cut(): Html {
    return actForm({ kind: 'cut_over', subject: name, to: build, label: words.cutOver, about: build }, visit);
  }
  function cancel(label: string): Html {
    return actForm({ kind: 'cancel', subject: build, label, about: build }, visit);
  }
}
