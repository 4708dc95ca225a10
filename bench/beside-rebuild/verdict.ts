import { type Bound, GOALS } from '../goals.ts';
import { informing, plain, shown, type Figure } from '../report.ts';
import { median } from '../statistics.ts';
import { failedOf, type Slice } from './slices.ts';

export interface Measurement {
  /** Before the build, and after it. */
  readonly alone: { readonly first: readonly Slice[]; readonly second: readonly Slice[] };
  readonly beside: readonly Slice[];
  /** From the command to its end, the cut-over included. */
  readonly buildMs: number;
}

/** How far the slices before and after may differ (../../docs/reference/benchmarks.md has it closer, for pairs). */
const STEADY = { low: 0.67, high: 1.5 };

export function figuresOf(measured: Measurement): readonly Figure[] {
  const { alone, beside, buildMs } = measured;
  const both = [...alone.first, ...alone.second];
  const ratio = (of: (slice: Slice) => number): number => mid(beside, of) / mid(both, of);
  const same = (of: (slice: Slice) => number): number => mid(alone.second, of) / mid(alone.first, of);
  const p99 = ({ p99: value }: Slice): number => value;
  const rate = ({ perSecond }: Slice): number => perSecond;
  return [
    compared('P12: p99 beside the rebuild, to p99 alone', GOALS['P12 p99'], ratio(p99), same(p99)),
    compared('P12: requests per second, to those alone', GOALS['P12 req/s'], ratio(rate), same(rate)),
    informing('slices alone: p50 / p99, ms; requests per second', threeOf(both)),
    informing('the same beside the rebuild', threeOf(beside)),
    informing('from the command to the cut-over, s', shown(buildMs / 1000)),
    failedFigure(`alone, failed requests of ${sum(both)}`, both),
    failedFigure(`beside, failed requests of ${sum(beside)}`, beside),
  ];
}

function mid(slices: readonly Slice[], of: (slice: Slice) => number): number {
  return median(slices.map(of));
}

function threeOf(slices: readonly Slice[]): string {
  const rate = mid(slices, ({ perSecond }) => perSecond);
  return `${shown(mid(slices, ({ p50 }) => p50))} / ${shown(mid(slices, ({ p99 }) => p99))}; ${shown(rate)}`;
}

function sum(slices: readonly Slice[]): number {
  return slices.reduce((all, { requests }) => all + requests, 0);
}

function failedFigure(name: string, slices: readonly Slice[]): Figure {
  const failed = failedOf(slices.map(({ failed: statuses }) => ({ statuses })));
  const value = Object.entries(failed).map(([status, count]) => `${count} with ${status}`);
  const isMet = value.length === 0;
  return { name, value: isMet ? '0' : value.join(', '), goal: 'none', verdict: isMet ? 'met' : 'missed' };
}

function compared(name: string, bound: Bound, ratio: number, same: number): Figure {
  const figure = plain(name, ratio, bound);
  const value = `${figure.value} (alone, after to before: ${shown(same)})`;
  const isSteady = same >= STEADY.low && same <= STEADY.high;
  return { ...figure, value, verdict: isSteady ? figure.verdict : 'inconclusive' };
}
