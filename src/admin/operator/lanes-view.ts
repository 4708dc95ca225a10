import { labelledTable } from '../../api/pages/parts/table.ts';
import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { LaneStatus, StatusReport } from '../../operating/status.ts';
import { operatorLayout } from './operator-layout.ts';
import type { OperatorVisit } from './visit.ts';

/** On the page itself, at most: an installation may have hundreds. */
const SHOWN = 40;

/** Lag of each partition; of a process that does not see the log, what projectors have said of each build. */
export function lanesSection(report: StatusReport, visit: OperatorVisit): Html {
  const { texts, frame, standing, locale } = visit;
  const { lanes: words } = texts;
  if (standing !== 'projects') return byBuild(report, visit);
  const { lanes } = report;
  if (lanes.length <= SHOWN) return byLane(lanes, visit);
  const count = frame.format.number(lanes.length);
  const shown = lanes.toSorted((a, b) => urgency(b) - urgency(a)).slice(0, SHOWN);
  return html`<p>
      ${frame.say(words.rest, { shown: frame.format.number(SHOWN), count })}
      <a href="/${locale}/lanes">${frame.say(words.all, { count })}</a>
    </p>
    ${byLane(shown, visit)}`;
}

export function allLanesView({ lanes }: StatusReport, visit: OperatorVisit): Html {
  const { texts, locale } = visit;
  const title = texts.lanes.byLane;
  const content = html`<main id="content" class="page operator">
    <h1>${title}</h1>
    <p><a href="/${locale}#lanes">${texts.trouble.back}</a></p>
    ${byLane(lanes, visit)}
  </main> `;
  return operatorLayout({ title, content }, visit);
}

/** What has halted comes first, then what waits longest. */
function urgency({ halted, live, lag, lag_ms }: LaneStatus): number {
  if (halted !== null || live?.state === 'halted') return Number.MAX_VALUE;
  if (lag > 0 && live === null) return Number.MAX_SAFE_INTEGER;
  return lag > 0 ? Math.max(1, lag_ms ?? lag) : 0;
}

function byLane(lanes: readonly LaneStatus[], visit: OperatorVisit): Html {
  const { lanes: words } = visit.texts;
  const { age, number } = formatsOf(visit);
  return labelledTable(
    words.byLane,
    [
      { title: words.lane, cell: ({ lane }) => html`<code translate="no">${lane}</code>` },
      { title: words.lag, cell: ({ lag }) => number(lag), isNumber: true },
      { title: words.age, cell: ({ lag_ms }) => age(lag_ms), isNumber: true },
      { title: words.position, cell: ({ position }) => number(position), isNumber: true },
      { title: words.end, cell: ({ latest }) => number(latest), isNumber: true },
      { title: words.state, cell: (lane) => stateOf(lane, visit) },
      {
        title: words.owner,
        cell: ({ live }) => (live === null ? NOTHING : html`<code translate="no">${live.where}</code>`),
      },
    ],
    lanes,
  );
}

function stateOf({ live, lag, halted }: LaneStatus, { texts }: OperatorVisit): Html {
  const { states, nobody } = texts.lanes;
  const state = halted === null ? (live?.state ?? null) : 'halted';
  if (state === 'running') return html`${states.running}`;
  const text = state === null ? nobody : states[state];
  const isDown = state === 'halted' || (state === null && lag > 0);
  return html`<span class="state ${isDown ? 'down' : 'degraded'}">${text}</span>`;
}

function byBuild({ read_models }: StatusReport, visit: OperatorVisit): Html {
  const { lanes: words } = visit.texts;
  const { age, number } = formatsOf(visit);
  return labelledTable(
    words.byBuild,
    [
      { title: words.build, cell: ({ read_model }) => html`<code translate="no">${read_model}</code>` },
      { title: words.documents, cell: ({ documents }) => number(documents), isNumber: true },
      { title: words.age, cell: ({ lag_ms }) => age(lag_ms), isNumber: true },
    ],
    read_models,
  );
}

function formatsOf({ frame }: OperatorVisit) {
  return {
    age: (ms: number | null) => (ms === null ? '—' : frame.format.duration(ms / 1000)),
    number: (value: number | null) => (value === null ? '—' : frame.format.number(value)),
  };
}
