import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';

import type { Listing } from '../../routes/listing-body.ts';
import type { Frame } from '../shell/frame.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';
import { ENTRY_TEXTS } from './texts.ts';

type History = NonNullable<Listing['metrics']>['history'];

/** In units of the drawing, which is stretched to the width that there is. */
const WIDTH = 640;
const HEIGHT = 200;
const TICKS = 4;

/** The audience of each day; a week without a measurement breaks the line. Every number is in the table below it. */
export function historyChart(history: History, frame: Frame): Html {
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last || history.length < 2) return NOTHING;
  const { locale, format, shell, say } = frame;
  const texts = ENTRY_TEXTS[locale];
  const values = history.map(({ value }) => value);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [HEIGHT, 0]).nice(TICKS);
  const x = scaleUtc([new Date(first.day), new Date(last.day)], [0, WIDTH]);
  const days = withGaps(history);
  const at = ({ day }: Day) => x(new Date(day));
  const known = ({ value }: Day) => value !== null;
  const height = ({ value }: Day) => y(value ?? 0);
  const stroke = line<Day>(at, height).defined(known)(days) ?? '';
  const ground = area<Day>(at, HEIGHT, height).defined(known)(days) ?? '';
  const ticks = y.ticks(TICKS);
  const described = say(texts.historyIs, {
    first: format.number(first.value),
    from: format.day(first.day),
    last: format.number(last.value),
    to: format.day(last.day),
  });
  return html`<figure class="chart">
    <div class="chart-plot">
      <ol class="chart-values" aria-hidden="true">
        ${ticks.toReversed().map((tick) => html`<li>${format.number(tick)}</li> `)}
      </ol>
      <svg
        viewBox="0 -4 ${WIDTH} ${HEIGHT + 8}"
        preserveAspectRatio="none"
        role="img"
        aria-labelledby="history-title history-text"
      >
        <title id="history-title">${texts.history}</title>
        <desc id="history-text">${described}</desc>
        ${ticks.map((tick) => html`<line class="grid" x1="0" x2="${WIDTH}" y1="${y(tick)}" y2="${y(tick)}" /> `)}
        <path class="area" d="${ground}" />
        <path class="line" d="${stroke}" />
      </svg>
    </div>
    <p class="chart-days" aria-hidden="true">
      <span>${format.shortDay(first.day)}</span> <span>${format.shortDay(last.day)}</span>
    </p>
    <figcaption>${described}</figcaption>
    <details>
      <summary>${shell.showTable}</summary>
      <div class="table" role="group" tabindex="0" aria-label="${texts.history}">
        <table>
          <thead>
            <tr>
              <th scope="col">${texts.date}</th>
              <th scope="col" class="number">${texts.audience}</th>
            </tr>
          </thead>
          <tbody>
            ${history.toReversed().map(
              ({ day, value }) =>
                html`<tr>
                  <th scope="row">${format.day(day)}</th>
                  <td class="number">${format.number(value)}</td>
                </tr> `,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure> `;
}

interface Day {
  readonly day: string;
  readonly value: number | null;
}

const DAY_MS = 86_400_000;
/** Measured less often than this, it is not known what was between. */
const LONGEST_GAP_DAYS = 7;

/** With a day of nothing in each long gap. */
function withGaps(history: History): readonly Day[] {
  return history.flatMap((one, index): readonly Day[] => {
    const before = history[index - 1];
    const days = before ? (Date.parse(one.day) - Date.parse(before.day)) / DAY_MS : 0;
    return before && days > LONGEST_GAP_DAYS ? [{ day: before.day, value: null }, one] : [one];
  });
}
