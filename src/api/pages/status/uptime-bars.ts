import { scaleBand, scaleLinear } from 'd3-scale';

import { DAY_MS } from '../../../platform/time/instant.ts';
import { type DayTimes, SHOWN_DAYS } from '../../../monitor/timelines.ts';
import { flooredPercent } from '../../../monitor/uptime.ts';
import type { PageContext } from '../shell/page-context.ts';
import { foldedTable, table } from '../parts/table.ts';
import { html, type Html } from '../shell/html.ts';

const HEIGHT = 32;
/** So that a minute of a day can be seen: the least height of what is wrong. */
const LEAST = 5;
/** From the ground up. */
const STACKED = ['down', 'degraded', 'up'] as const;

/** A bar for each day, as high as the part of it that is known: a gap is a gap. The numbers are in the table below. */
export function dayBars(id: string, name: string, days: readonly DayTimes[], context: PageContext): Html {
  const { shell } = context;
  const texts = shell.pages.status;
  const x = scaleBand(
    days.map(({ day }) => day),
    [0, SHOWN_DAYS * 10],
  ).paddingInner(0.25);
  const width = x.bandwidth();
  return html`<svg
      class="bars"
      viewBox="0 0 ${SHOWN_DAYS * 10} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-labelledby="bars-${id}"
    >
      <title id="bars-${id}">${name}: ${texts.ago} – ${texts.today}</title>
      ${days.map(
        (day) =>
          html`<g
            ><title>${sentenceOf(day, context)}</title
            ><rect
              class="gap"
              x="${x(day.day) ?? 0}"
              y="0"
              width="${width}"
              height="${HEIGHT}"
            />${segments(day).map(({ state, y, height }) => html`<rect class="${state}" x="${x(day.day) ?? 0}" y="${y}" width="${width}" height="${height}" />`)}</g
          > `,
      )}
    </svg>
    <p class="bars-ends" aria-hidden="true"><span>${texts.ago}</span><span>${texts.today}</span></p>
    ${foldedTable(shell.showTable, name, numbers(days, context))}`;
}

function segments({ spent }: DayTimes) {
  const scale = scaleLinear([0, DAY_MS], [0, HEIGHT]);
  let y = HEIGHT;
  return STACKED.flatMap((state) => {
    if (spent[state] === 0) return [];
    const least = state === 'up' ? 0.5 : LEAST;
    const height = Math.min(y, Math.max(least, scale(spent[state])));
    y -= height;
    return height > 0 ? [{ state, y: rounded(y), height: rounded(height) }] : [];
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Of the known time; null where none is known. */
function uptimeOf({ spent: { up, degraded, down } }: DayTimes): number | null {
  return flooredPercent(up + degraded, up + degraded + down);
}

function sentenceOf(day: DayTimes, { format, say, shell }: PageContext): string {
  const texts = shell.pages.status;
  const uptime = uptimeOf(day);
  const shown = format.shortDay(day.day);
  if (uptime === null) return say(texts.dayUnknown, { day: shown });
  const coverage = format.percent((100 * (DAY_MS - day.spent.unknown)) / DAY_MS);
  return say(texts.dayIs, { day: shown, uptime: format.percent(uptime, 2), coverage });
}

function numbers(days: readonly DayTimes[], { format, shell }: PageContext): Html {
  const texts = shell.pages.status;
  return table(days.toReversed(), [
    { title: texts.day, cell: ({ day }) => format.day(day) },
    { title: texts.uptime, isNumber: true, cell: (day) => format.percent(uptimeOf(day), 2) },
    {
      title: texts.gap,
      isNumber: true,
      cell: ({ spent }) => format.percent((100 * spent.unknown) / DAY_MS),
    },
  ]);
}
