import type { Listing } from '../../routes/listing-body.ts';
import { isChat } from '../parts/entries.ts';
import { fact } from '../parts/facts.ts';
import type { Frame } from '../shell/frame.ts';
import { html, type Html } from '../shell/html.ts';
import { historyChart } from './history-chart.ts';

export function metricsCard(entry: Listing, frame: Frame): Html {
  const { metrics, audience } = entry;
  const { format, say, shell } = frame;
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
      )}${numbersOf(metrics, isChat(entry), frame)}
    </dl>
    ${historyChart(metrics.history, frame)}
  </section> `;
}

function numbersOf(metrics: NonNullable<Listing['metrics']>, inChat: boolean, frame: Frame): readonly Html[] {
  const { format, say, shell } = frame;
  const { names, ratingIs, votes } = shell.pages.entry;
  const shown: readonly (readonly [string, string | null])[] =
    'err_pct' in metrics
      ? [
          [names.avg_views, numberOr(metrics.avg_views)],
          [names.avg_views_24h, numberOr(metrics.avg_views_24h)],
          [names.err_pct, percentOr(metrics.err_pct)],
          [names.er_pct, percentOr(metrics.er_pct)],
          [inChat ? names.messages_per_week : names.posts_per_week, numberOr(metrics.posts_per_week)],
          [names.mentions_30d, numberOr(metrics.mentions_30d)],
        ]
      : [
          [
            names.rating,
            metrics.rating &&
              say(ratingIs, {
                value: format.number(metrics.rating.value, 1),
                votes: say(votes, { count: metrics.rating.count }),
              }),
          ],
          [names.mentions_30d, numberOr(metrics.mentions_30d)],
        ];
  return shown.map(([name, value]) => fact(name, value));

  function numberOr(value: number | null): string | null {
    return value === null ? null : format.number(value, Number.isInteger(value) ? 0 : 1);
  }
  function percentOr(value: number | null): string | null {
    return value === null ? null : format.percent(value, 1);
  }
}
