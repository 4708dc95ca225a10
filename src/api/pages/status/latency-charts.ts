import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';

import type { Component } from '../../../monitor/status-schema.ts';
import type { ShownStatus } from '../../../monitor/reading/status-reader.ts';
import type { PageContext } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { LATENCY_DAYS, type LatencyStep, STEP_HOURS, STEP_MS } from '../../../monitor/latency.ts';
import { chartFrame, CHART_WIDTH, PATH_DIGITS, TICKS } from '../parts/chart-frame.ts';
import { foldedTable, table } from '../parts/table.ts';

/** How fast services answer: a chart of the last days for each, and the last hour and day in numbers. */
export function latencies({ body, timelines }: ShownStatus, context: PageContext): Html | null {
  const { locale, shell } = context;
  const texts = shell.pages.status;
  const { components } = body;
  if (components.length === 0) return null;
  return html`<section aria-labelledby="latency">
    <h2 id="latency">${texts.latency}</h2>
    <p class="quiet">${texts.latencyIs}</p>
    <ul class="legend" aria-label="${texts.trend.legend}">
      <li><i class="half"></i>${texts.trend.half}</li>
      <li><i class="range"></i>${texts.trend.range}</li>
      <li><i class="gap"></i>${texts.gap}</li>
    </ul>
    <div class="columns-3 trends">
      ${components.map(({ id, name }) => {
        const steps = timelines().components.get(id)?.latency ?? [];
        return html`<article class="card">
          <h3>${name[locale]}</h3>
          ${latencyChart(id, name[locale], steps, context)}
        </article> `;
      })}
    </div>
    ${latencyTable(components, context)}
  </section> `;
}

const QUANTILES = ['p50', 'p95', 'p99'] as const;
const WINDOWS = ['1h', '24h'] as const;

function latencyTable(components: readonly Component[], { locale, format, shell }: PageContext): Html {
  const texts = shell.pages.status;
  const windows = { '1h': texts.hour, '24h': texts.twentyFour };
  return html`<div class="table" role="group" tabindex="0" aria-label="${texts.latency}">
    <table>
      <thead>
        <tr>
          <th scope="col">${texts.service}</th>
          <th scope="col">${texts.span}</th>
          ${QUANTILES.map((one) => html`<th scope="col" class="number">${one}</th>`)}
        </tr>
      </thead>
      ${components.map(
        ({ name, latency_ms: latency }) =>
          html`<tbody>
            ${WINDOWS.map(
              (one, index) =>
                html`<tr>
                  ${index === 0 && html`<th scope="rowgroup" rowspan="${WINDOWS.length}">${name[locale]}</th>`}
                  <td class="quiet">${windows[one]}</td>
                  ${QUANTILES.map((quantile) => html`<td class="number">${format.number(latency[one][quantile], 0)}</td>`)}
                </tr> `,
            )}
          </tbody>`,
      )}
    </table>
  </div>`;
}

const HEIGHT = 160;

/** The latencies of a component: p50 as a line, up to p95 as a band. What was not measured is marked, as in the bars. */
function latencyChart(id: string, name: string, steps: readonly LatencyStep[], context: PageContext): Html {
  const { format, say, shell } = context;
  const texts = shell.pages.status.trend;
  const measured = steps.filter(isMeasured);
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || measured.length === 0) return html`<p class="quiet">${texts.none}</p> `;
  const halves = measured.map(({ p50 }) => p50);
  const most = Math.max(...measured.map(({ p95 }) => p95));
  // A scale from nothing on: half a wave looks like half a wave.
  const y = scaleLinear([0, Math.max(1, most)], [HEIGHT, 0]).nice(TICKS);
  const x = scaleLinear([first.at, last.at + STEP_MS], [0, CHART_WIDTH]);
  const middle = ({ at }: LatencyStep) => x(at + STEP_MS / 2);
  const p50 = (step: LatencyStep) => y(step.p50 ?? 0);
  const p95 = (step: LatencyStep) => y(step.p95 ?? 0);
  const band = area<LatencyStep>(middle, p50, p95).digits(PATH_DIGITS).defined(isMeasured)(steps) ?? '';
  const stroke = line<LatencyStep>(middle, p50).digits(PATH_DIGITS).defined(isMeasured)(steps) ?? '';
  const described = say(texts.is, {
    low: format.number(Math.min(...halves), 0),
    high: format.number(Math.max(...halves), 0),
    most: format.number(most, 0),
  });
  const title = say(texts.title, { name, days: LATENCY_DAYS, hours: STEP_HOURS });
  return chartFrame({
    id: `latency-${id}`,
    title,
    described,
    height: HEIGHT,
    ticks: y.ticks(TICKS).map((value) => ({ y: y(value), label: format.number(value) })),
    ends: [
      format.shortDay(new Date(first.at).toISOString()),
      format.shortDay(new Date(last.at).toISOString()),
    ],
    drawing: html`${gapsOf(steps).map(
        ({ from, to }) =>
          html`<rect
            class="gap"
            x="${tenths(x(from))}"
            y="0"
            width="${tenths(x(to) - x(from))}"
            height="${HEIGHT}"
            ><title>${shell.pages.status.gap}</title></rect
          > `,
      )}<path class="area" d="${band}" /> <path class="line" d="${stroke}" />`,
    numbers: foldedTable(shell.showTable, title, numbers(steps, context)),
  });
}

type Measured = LatencyStep & { readonly p50: number; readonly p95: number };

function isMeasured(step: LatencyStep): step is Measured {
  return step.p50 !== null && step.p95 !== null;
}

/** Steps in a row that nothing was measured in, as one. */
function gapsOf(steps: readonly LatencyStep[]): readonly { readonly from: number; readonly to: number }[] {
  const gaps: { from: number; to: number }[] = [];
  for (const step of steps) {
    if (isMeasured(step)) continue;
    const before = gaps.at(-1);
    if (before?.to === step.at) before.to += STEP_MS;
    else gaps.push({ from: step.at, to: step.at + STEP_MS });
  }
  return gaps;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function numbers(steps: readonly LatencyStep[], { format, shell }: PageContext): Html {
  return table(steps.toReversed(), [
    { title: shell.pages.status.trend.from, cell: ({ at }) => format.moment(new Date(at).toISOString()) },
    { title: 'p50', isNumber: true, cell: ({ p50 }) => format.number(p50, 0) },
    { title: 'p95', isNumber: true, cell: ({ p95 }) => format.number(p95, 0) },
  ]);
}
