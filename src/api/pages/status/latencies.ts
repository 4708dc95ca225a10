import type { Component } from '../../../monitor/component-body.ts';
import type { ShownStatus } from '../../../monitor/reading/status-reader.ts';
import type { Frame } from '../shell/frame.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';
import { latencyChart } from './latency-chart.ts';

/** How fast services answer: a chart of the last days for each, and the last hour and day in numbers. */
export function latencies({ body, timelines }: ShownStatus, frame: Frame): Html {
  const { locale, shell } = frame;
  const texts = shell.pages.status;
  const { components } = body;
  if (components.length === 0) return NOTHING;
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
          ${latencyChart(id, name[locale], steps, frame)}
        </article> `;
      })}
    </div>
    ${latencyTable(components, frame)}
  </section> `;
}

const QUANTILES = ['p50', 'p95', 'p99'] as const;
const WINDOWS = ['1h', '24h'] as const;

function latencyTable(components: readonly Component[], { locale, format, shell }: Frame): Html {
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
                  ${index === 0 ? html`<th scope="rowgroup" rowspan="${WINDOWS.length}">${name[locale]}</th>` : NOTHING}
                  <td class="quiet">${windows[one]}</td>
                  ${QUANTILES.map((quantile) => html`<td class="number">${format.number(latency[one][quantile], 0)}</td>`)}
                </tr> `,
            )}
          </tbody>`,
      )}
    </table>
  </div>`;
}
