import { html, type Html } from '../shell/html.ts';

/** The frame of every chart: values at its side, lines across, what it says in a sentence, and its numbers as a table. */

/** In units of the drawing, which is stretched to the width that there is. */
export const CHART_WIDTH = 640;
/** Lines across that are asked for; scales make about as many. */
export const TICKS = 4;

interface Chart {
  /** Of this chart alone on its page. */
  readonly id: string;
  readonly title: string;
  /** The same in a sentence. */
  readonly described: string;
  /** What else is said below it. */
  readonly caption?: Html;
  readonly height: number;
  /** At the lowest line first, evenly spaced from the bottom of the drawing to its top. */
  readonly ticks: readonly { readonly y: number; readonly label: string }[];
  /** What stands below its left and its right end. */
  readonly ends: readonly [string, string];
  readonly drawing: Html;
  /** What its numbers are read out of where they cannot be seen; absent where the page has them beside it. */
  readonly numbers?: Html;
}

export function chartFrame(one: Chart): Html {
  const { id, title, described, caption = described, height, ticks, ends, drawing, numbers } = one;
  return html`<figure class="chart">
    <div class="chart-plot">
      <ol class="chart-values" aria-hidden="true">
        ${ticks.toReversed().map(({ label }) => html`<li>${label}</li> `)}
      </ol>
      <svg
        viewBox="0 -4 ${CHART_WIDTH} ${height + 8}"
        preserveAspectRatio="none"
        role="img"
        aria-labelledby="${id}-title ${id}-text"
      >
        <title id="${id}-title">${title}</title>
        <desc id="${id}-text">${described}</desc>
        ${ticks.map(({ y }) => html`<line class="grid" x1="0" x2="${CHART_WIDTH}" y1="${y}" y2="${y}" /> `)}
        ${drawing}
      </svg>
      <p class="chart-ends" aria-hidden="true"><span>${ends[0]}</span> <span>${ends[1]}</span></p>
    </div>
    <figcaption>${caption}</figcaption>
    ${numbers}
  </figure> `;
}

/** Of a path: a tenth of a unit is less than can be seen. */
export const PATH_DIGITS = 1;
