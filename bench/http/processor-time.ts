import { type Pair, ratiosBy } from '../pairs.ts';
import { type Figure, informing, shown, shownRatio } from '../report.ts';
import { median } from '../statistics.ts';
import type { Slice } from './measured.ts';

/** Two servers compared by the processor time that each took for a request. */

export function byCpu(measured: readonly Pair<Slice>[]): ReturnType<typeof ratiosBy> {
  return ratiosBy(measured, ({ cpuPerRequest }) => 1 / cpuPerRequest);
}

/** Beside the ratio, for people. */
export function told(measured: readonly Pair<Slice>[]): readonly Figure[] {
  const middle = (valueOf: (slice: Slice) => number): string =>
    [measured.flatMap(({ a }) => [...a]), measured.map(({ b }) => b)]
      .map((slices) => shown(median(slices.map(valueOf))))
      .join(' / ');
  return [
    informing(
      'processor time a request, µs: ours / the peer',
      middle(({ cpuPerRequest }) => cpuPerRequest),
    ),
    informing(
      'requests per second: ours / the peer',
      middle(({ perSecond }) => perSecond),
    ),
    informing(
      'requests per second, ratio',
      shownRatio(ratiosBy(measured, ({ perSecond }) => perSecond).ratios),
    ),
  ];
}
