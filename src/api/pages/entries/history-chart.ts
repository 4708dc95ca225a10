import { scaleLinear, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';

import { DAY_MS } from '../../../platform/time/instant.ts';
import type { Listing } from '../../routes/listing-body.ts';
import { chart, CHART_WIDTH, PATH_DIGITS, TICKS } from '../parts/chart.ts';
import { type Column, foldedTable, table } from '../parts/table.ts';
import type { Frame } from '../shell/frame.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';

type History = NonNullable<Listing['metrics']>['history'];

const HEIGHT = 200;

/** The audience of each day; a week without a measurement breaks the line. */
export function historyChart(history: History, frame: Frame): Html {
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last || history.length < 2) return NOTHING;
  const { format, shell, say } = frame;
  const texts = shell.pages.entry;
  const values = history.map(({ value }) => value);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [HEIGHT, 0]).nice(TICKS);
  const x = scaleUtc([new Date(first.day), new Date(last.day)], [0, CHART_WIDTH]);
  const days = withGaps(history);
  const at = ({ day }: Day) => x(new Date(day));
  const known = ({ value }: Day) => value !== null;
  const height = ({ value }: Day) => y(value ?? 0);
  const stroke = line<Day>(at, height).digits(PATH_DIGITS).defined(known)(days) ?? '';
  const columns: readonly Column<(typeof history)[number]>[] = [
    { title: texts.date, cell: ({ day }) => format.day(day) },
    { title: texts.audience, isNumber: true, cell: ({ value }) => format.number(value) },
  ];
  return chart({
    id: 'history',
    title: texts.history,
    described: say(texts.historyIs, {
      first: first.value,
      from: format.day(first.day),
      last: last.value,
      to: format.day(last.day),
    }),
    height: HEIGHT,
    ticks: y.ticks(TICKS).map((value) => ({ y: y(value), label: format.number(value) })),
    ends: [format.shortDay(first.day), format.shortDay(last.day)],
    // A line alone: what is filled would be read from zero up, where the drawing does not begin.
    drawing: html`<path class="line" d="${stroke}" />`,
    numbers: foldedTable(shell.showTable, texts.history, table(columns, history.toReversed())),
  });
}

interface Day {
  readonly day: string;
  readonly value: number | null;
}

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
