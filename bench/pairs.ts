import type { Load, Slice as SliceOfLoad } from './http/measured.ts';
import { median } from './statistics.ts';

/** What one slice of a measurement says, in whatever units the benchmark compares. */
export interface Pair<Slice> {
  /** Two slices of the same, so that they also say how steady the machine was. */
  readonly a: readonly [Slice, Slice];
  readonly b: Slice;
}

export interface AlternateOptions<Slice> {
  readonly pairs: number;
  /** Slices of each that are thrown away: caches are filled and code is compiled by then. */
  readonly warming: number;
  /** Each is told its turn, which the slices of one pair share: they can ask the very same then. */
  readonly a: (turn: number) => Promise<Slice>;
  readonly b: (turn: number) => Promise<Slice>;
  readonly say: (what: string) => void;
}

/** Measures two things in turns, A B A or B A A: neither the order nor a drift of the machine decides. */
export async function alternate<Slice>(options: AlternateOptions<Slice>): Promise<readonly Pair<Slice>[]> {
  const { pairs, warming, a, b, say } = options;
  for (let turn = 0; turn < warming; turn += 1) {
    await a(turn);
    await b(turn);
  }
  const measured: Pair<Slice>[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const turn = warming + pair;
    const first = pair % 2 === 0 ? await a(turn) : null;
    const other = await b(turn);
    const second = await a(turn);
    const third = first ?? (await a(turn));
    measured.push({ a: [third, second], b: other });
    if (pair % 5 === 4) say(`${pair + 1} of ${pairs} pairs`);
  }
  return measured;
}

/** Of what asks two servers for the same. */
export function alternateLoads(
  {
    pairs,
    say,
    sliceMs,
  }: Pick<AlternateOptions<SliceOfLoad>, 'pairs' | 'say'> & { readonly sliceMs: number },
  a: Load,
  b: Load,
): Promise<readonly Pair<SliceOfLoad>[]> {
  return alternate({ pairs, say, warming: 3, a: () => a.slice(sliceMs), b: () => b.slice(sliceMs) });
}

/** Of A and of B, the median of a value of each slice. */
export function mediansBy<Slice>(
  pairs: readonly Pair<Slice>[],
  valueOf: (slice: Slice) => number,
): readonly [number, number] {
  return [median(pairs.flatMap(({ a }) => a.map(valueOf))), median(pairs.map(({ b }) => valueOf(b)))];
}

/** Ratios of A to B, and of A to A, by a value of each slice. */
export function ratiosBy<Slice>(
  pairs: readonly Pair<Slice>[],
  valueOf: (slice: Slice) => number,
): { readonly ratios: readonly number[]; readonly same: readonly number[] } {
  const ratios = pairs.map(({ a: [one, two], b }) => (valueOf(one) + valueOf(two)) / 2 / valueOf(b));
  return { ratios, same: pairs.map(({ a: [one, two] }) => valueOf(one) / valueOf(two)) };
}
