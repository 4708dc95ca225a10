import { scaleLinear, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';

import type { Listing } from '../../routes/listing-schema.ts';
import { isChat } from '../parts/entry-list.ts';
import { fact } from '../parts/facts.ts';
import type { PageContext } from '../shell/page-context.ts';
import { html, type Html, type Part } from '../shell/html.ts';
import { DAY_MS } from '../../../platform/time/instant.ts';
import { chartFrame, CHART_WIDTH, PATH_DIGITS, TICKS } from '../parts/chart-frame.ts';
import { type Column, foldedTable, table } from '../parts/table.ts';

export function metricsCard(entry: Listing, context: PageContext): Html {
  const { metrics, audience } = entry;
  const { format, say, shell } = context;
  const texts = shell.pages.entry;
  if (metrics === null) {
    return html`<section class="card" aria-labelledby="metrics">
      <h2 id="metrics">${texts.metrics}</h2>
      <p class="quiet">${texts.unmeasured}</p>
    </section> `;
  }
  const { growth } = metrics;
  const changes = [
    [texts.day, growth.d1],
    [texts.week, growth.d7],
    [texts.month, growth.d30],
  ] as const;
  return html`<section class="card" aria-labelledby="metrics">
    <div class="heading">
      <h2 id="metrics">${texts.metrics}</h2>
      <p class="quiet small">${say(texts.measured, { at: format.moment(metrics.measured_at) })}</p>
    </div>
    <dl class="figures">
      ${fact(texts.audience, audience === null ? null : format.number(audience.value))}${changes.map(
        ([name, change]) =>
          fact(
            name,
            change &&
              `${format.signed(change.abs)}${change.pct === null ? '' : ` (${change.pct > 0 ? '+' : ''}${format.percent(change.pct, 2)})`}`,
          ),
      )}${numbersOf(metrics, isChat(entry), context)}
    </dl>
    ${historyChart(metrics.history, context)}
  </section> `;
}

/** Of a channel or a chat. */
const NUMBERS = [
  'avg_views',
  'avg_views_24h',
  'err_pct',
  'er_pct',
  'posts_per_week',
  'mentions_30d',
] as const;

function numbersOf(
  metrics: NonNullable<Listing['metrics']>,
  inChat: boolean,
  context: PageContext,
): readonly Part[] {
  const { format, say, shell } = context;
  const { names, ratingIs, votes } = shell.pages.entry;
  if ('err_pct' in metrics) {
    return NUMBERS.map((name) => {
      const title = inChat && name === 'posts_per_week' ? names.messages_per_week : names[name];
      return fact(title, shown(metrics[name], name.endsWith('_pct')));
    });
  }
  const { rating, mentions_30d: mentions } = metrics;
  const said =
    rating &&
    say(ratingIs, { value: format.number(rating.value, 1), votes: say(votes, { count: rating.count }) });
  return [fact(names.rating, said), fact(names.mentions_30d, shown(mentions, false))];

  function shown(value: number | null, isPercent: boolean): string | null {
    if (value === null) return null;
    return isPercent ? format.percent(value, 1) : format.number(value, Number.isInteger(value) ? 0 : 1);
  }
}

type History = NonNullable<Listing['metrics']>['history'];

const HEIGHT = 200;

/** The audience of each day; a week without a measurement breaks the line. */
function historyChart(history: History, context: PageContext): Html | null {
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last || history.length < 2) return null;
  const { format, shell, say } = context;
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
  return chartFrame({
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
    numbers: foldedTable(shell.showTable, texts.history, table(history.toReversed(), columns)),
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
