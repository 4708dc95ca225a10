import { type Bound, GOALS } from '../goals.ts';
import { informing, plain, shown, type Figure } from '../report.ts';
import { median } from '../statistics.ts';
import type { judge } from './judge.ts';
import type { Phase } from './phase.ts';
import { failedOf, type Slice } from './slices.ts';

/** A slice, with what was being done when it began. */
export interface Phased extends Slice {
  readonly phase: Phase;
}

export interface Measurement {
  /** Before the build, and after it. */
  readonly alone: { readonly first: readonly Slice[]; readonly second: readonly Slice[] };
  readonly beside: readonly Phased[];
  /** Around the rollback. */
  readonly afterwards: readonly Slice[];
  /** From the command to its end, the cut-over included. */
  readonly buildMs: number;
  readonly rollbackMs: number;
  readonly judged: ReturnType<typeof judge>;
  /** Documents that no event has come to meanwhile, and that are other ones after the rollback. */
  readonly differences: number;
  /** Entries that readers do not see as they were published since the build began. */
  readonly unseen: number;
  readonly isVerified: boolean;
}

/** How far the slices before and after may differ (../../docs/reference/benchmarks.md has it closer, for pairs). */
const STEADY = { low: 0.67, high: 1.5 };

export function figuresOf(measured: Measurement): readonly Figure[] {
  const { alone, beside, afterwards, judged } = measured;
  const both = [...alone.first, ...alone.second];
  const ratio = (of: (slice: Slice) => number): number => mid(beside, of) / mid(both, of);
  const same = (of: (slice: Slice) => number): number => mid(alone.second, of) / mid(alone.first, of);
  const p99 = ({ p99: value }: Slice): number => value;
  const rate = ({ perSecond }: Slice): number => perSecond;
  return [
    compared('P12: p99 beside the rebuild, to p99 alone', GOALS['P12 p99'], ratio(p99), same(p99)),
    compared('P12: requests per second, to those alone', GOALS['P12 req/s'], ratio(rate), same(rate)),
    informing('slices alone: p50 / p99, ms; requests per second', threeOf(both)),
    ...(['folding', 'indexing', 'verifying'] as const).map((phase) => {
      const slices = beside.filter((slice) => slice.phase === phase);
      return informing(`the same while ${phase}, ${slices.length} slices`, threeOf(slices));
    }),
    informing('from the command to the cut-over, s', shown(measured.buildMs / 1000)),
    informing('the rollback, s', shown(measured.rollbackMs / 1000)),
    ...(
      [
        ['alone', both],
        ['beside', beside],
        ['around the rollback', afterwards],
      ] as const
    ).map(([name, slices]) => failedFigure(`${name}, failed requests of ${sum(slices)}`, slices)),
    none(`failed requests of the reader that compares, of ${judged.told}`, judged.failed),
    none(`answers of two formulas, of ${judged.told}`, judged.mixed),
    none('answers of the formula before, after one of the next', judged.backwards),
    none(
      'documents that the rollback has not brought back, of those without later events',
      measured.differences,
    ),
    none('entries without what was published since, after the rollback', measured.unseen),
    none('verifications of all documents against the log that failed', measured.isVerified ? 0 : 1),
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

/** `found` is how many, or a line for each, of which the first is shown. */
function none(name: string, found: number | readonly string[]): Figure {
  const [count, [first] = []] = typeof found === 'number' ? [found] : [found.length, found];
  const value = first === undefined ? String(count) : `${count}: ${first}`;
  return { name, value, goal: 'none', verdict: count === 0 ? 'met' : 'missed' };
}

function compared(name: string, bound: Bound, ratio: number, same: number): Figure {
  const figure = plain(name, ratio, bound);
  const value = `${figure.value} (alone, after to before: ${shown(same)})`;
  const isSteady = same >= STEADY.low && same <= STEADY.high;
  return { ...figure, value, verdict: isSteady ? figure.verdict : 'inconclusive' };
}
