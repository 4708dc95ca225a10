import { scaleBand, scaleLinear } from 'd3-scale';

import { chart, CHART_WIDTH, TICKS } from '../../../api/pages/parts/chart.ts';
import { html, type Html, NOTHING } from '../../../api/pages/shell/html.ts';
import { counted, number } from '../../../platform/amounts.ts';
import type { Movement } from './movement.ts';
import { tableOf } from './page-table.ts';
import type { CategoryMoves, PlotData } from './plots.ts';
import { shortened, signed } from './report.ts';

/** The charts of a comparison, drawn when its page is written, in the frame of the other pages' charts. */

const SCORES_HEIGHT = 480;

/** Scores before (across) and after (upwards). A dot keeps its size in pixels, however wide the drawing is. */
export function scoresChart({ cells }: PlotData, largest: readonly Movement[]): Html {
  const x = scaleLinear([0, 100], [0, CHART_WIDTH]);
  const y = scaleLinear([0, 100], [SCORES_HEIGHT, 0]);
  // A cell may hold one entry, or most of them: by its area alone, all others would be specks.
  const width = (entries: number) => Math.round(10 * (3.6 + 1.6 * Math.log2(entries))) / 10;
  const dot = (before: number, after: number) => `M${x(before)} ${y(after)}h0`;
  return chart({
    id: 'scores',
    title: 'Score before and after',
    described:
      'Each dot stands for the entries with about the same score before (across) and after (upwards); a larger dot stands for more. Above the line they rose, below it they fell. Rings mark the largest movements, which are listed below.',
    height: SCORES_HEIGHT,
    ticks: y.ticks(TICKS).map((value) => ({ y: y(value), label: number(value) })),
    ends: ['score before: 0', '100'],
    drawing: html`<path class="still" d="M${x(0)} ${y(0)}L${x(100)} ${y(100)}" /> ${largest.map((movement) =>
        ring(movement, dot),
      )}
      ${cells.map(
        ({ before, after, entries }) =>
          html`<path class="dot" stroke-width="${width(entries)}" d="${dot(before, after)}">
            <title>${counted(entries, 'entry', 'entries')}: about ${before} before, ${after} after</title>
          </path> `,
      )}`,
  });
}

function ring(
  { id, title, score: { before, after } }: Movement,
  dot: (before: number, after: number) => string,
): Html {
  if (before === null || after === null) return NOTHING;
  const name = shortened(title === '' ? id : title, 40);
  return html`<path class="ring" d="${dot(before, after)}">
      <title>${name}: ${before} before, ${after} after</title>
    </path>
    <path class="hole" d="${dot(before, after)}" /> `;
}

const BARS_HEIGHT = 200;

/** How many entries rose, and how many fell, by how many points; its numbers stand in the table below it. */
export function distributionChart({ distribution }: PlotData): Html {
  const bars = distribution.filter(({ from, to }) => from !== to);
  const sum = (all: PlotData['distribution']) => all.reduce((total, { entries }) => total + entries, 0);
  const moved = sum(bars);
  const all = sum(distribution);
  const described = `Of ${counted(all, 'entry', 'entries')} in both, ${number(moved)} moved by so many points.`;
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return html`<p class="quiet">No entry moved.</p> `;
  const y = scaleLinear([0, Math.max(...bars.map(({ entries }) => entries))], [BARS_HEIGHT, 0]).nice(TICKS);
  const x = scaleBand(
    bars.map(({ from }) => from),
    [0, CHART_WIDTH],
  ).padding(0.08);
  const between = ({ from, to }: (typeof bars)[number]) => `${signed(from, 1)} to ${signed(to, 1)}`;
  return chart({
    id: 'distribution',
    title: 'How far scores moved',
    described,
    height: BARS_HEIGHT,
    ticks: y
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => ({ y: y(value), label: number(value) })),
    ends: [`${signed(first.from, 1)} points`, signed(last.to, 1) ?? ''],
    drawing: html`${bars.map(
      (bar) =>
        html`<rect
          class="${bar.from < 0 ? 'fell' : 'rose'}"
          x="${x(bar.from) ?? 0}"
          y="${y(bar.entries)}"
          width="${x.bandwidth()}"
          height="${BARS_HEIGHT - y(bar.entries)}"
        >
          <title>${between(bar)}: ${counted(bar.entries, 'entry', 'entries')}</title>
        </rect> `,
    )}`,
    numbers: {
      summary: 'Show as a table',
      table: tableOf(
        bars.filter(({ entries }) => entries > 0),
        { Points: { text: between }, Entries: { number: ({ entries }) => number(entries) } },
      ),
    },
  });
}

const BAR_HEIGHT = 12;

/** Draws the bar of a category: what fell to the left of its middle, what rose to the right, as long as the most allow. */
export function moversBar(categories: readonly CategoryMoves[]): (moves: CategoryMoves) => Html {
  const most = Math.max(...categories.flatMap(({ rose, fell }) => [rose, fell]));
  const x = scaleLinear([-most, most], [0, CHART_WIDTH]);
  return ({ rose, fell }) =>
    html`<svg
      class="movers"
      viewBox="0 0 ${CHART_WIDTH} ${BAR_HEIGHT}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="fell" x="${x(-fell)}" y="0" width="${x(0) - x(-fell)}" height="${BAR_HEIGHT}" />
      <rect class="rose" x="${x(0)}" y="0" width="${x(rose) - x(0)}" height="${BAR_HEIGHT}" />
    </svg>`;
}
