import { scaleBand, scaleLinear } from 'd3-scale';

import { DAY_MS } from '../../../platform/time/instant.ts';
import type { ShownKey } from '../../../access/keys/account-document.ts';
import type { Usage } from '../../../access/quota/usage.ts';
import { chartFrame, CHART_WIDTH, TICKS } from '../parts/chart-frame.ts';
import { foldedTable, table } from '../parts/table.ts';
import { html, type Html } from '../shell/html.ts';
import type { PartContext } from './account-layout.ts';

const HEIGHT = 160;
export const CHART_DAYS = 30;

/** A bar for each of the 30 days, and every number by key in the table below. */
export function usageChart(usage: Usage, keys: readonly ShownKey[], said: PartContext): Html {
  const { texts, format, say, shell } = said;
  const { use } = texts;
  const days = daysOf(usage);
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return html`<p class="quiet">${use.none}</p>`;
  const most = Math.max(...days.map(({ requests }) => requests));
  const y = scaleLinear([0, most], [HEIGHT, 0]).nice(TICKS);
  const x = scaleBand(
    days.map(({ day }) => day),
    [0, CHART_WIDTH],
  ).padding(0.25);
  const [from, to] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const described = say(use.about, { total, from: format.day(from), to: format.day(to), most });
  return chartFrame({
    id: 'use-chart',
    title: use.title,
    described,
    caption: html`${described} ${use.sums}`,
    height: HEIGHT,
    ticks: y
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => ({ y: y(value), label: format.number(value) })),
    ends: [format.shortDay(from), format.shortDay(to)],
    drawing: html`${days.map(
      ({ day, requests }) =>
        html`<rect
          class="bar-day"
          x="${x(day) ?? 0}"
          y="${y(requests)}"
          width="${x.bandwidth()}"
          height="${HEIGHT - y(requests)}"
        >
          <title>${format.day(day)}: ${format.number(requests)}</title>
        </rect> `,
    )}`,
    numbers: foldedTable(shell.showTable, use.title, numbers(days, keys, said)),
  });
}

type Day = ReturnType<typeof daysOf>[number];

/** The last 30 days, those without requests too. */
function daysOf({ days, today }: Usage) {
  return Array.from({ length: CHART_DAYS }, (_, index) => {
    const at = Date.parse(today) - (CHART_DAYS - 1 - index) * DAY_MS;
    const day = new Date(at).toISOString().slice(0, 10);
    const byKey = new Map<string, number>();
    let requests = 0;
    for (const place of days.filter((one) => one.day === day)) {
      requests += place.requests;
      for (const [id, count] of place.byKey) byKey.set(id, (byKey.get(id) ?? 0) + count);
    }
    return { day, requests, byKey };
  });
}

function numbers(days: readonly Day[], keys: readonly ShownKey[], { texts, format }: PartContext): Html {
  const { use } = texts;
  const used = new Set(days.flatMap(({ byKey }) => [...byKey.keys()]));
  const orNone = (count: number) => format.number(count === 0 ? null : count);
  return table(days.toReversed(), [
    { title: use.day, cell: ({ day }) => format.day(day) },
    { title: use.all, isNumber: true, cell: ({ requests }) => orNone(requests) },
    ...[...used].map((id) => ({
      title: keys.find((key) => key.id === id)?.label ?? id,
      isNumber: true,
      cell: ({ byKey }: Day) => orNone(byKey.get(id) ?? 0),
    })),
  ]);
}
