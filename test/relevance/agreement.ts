import { type Answer } from './judging.ts';

/** How much of what one engine answers another answers too. */
export interface Agreement {
  /** The share of the first ten that are among the first ten of the other, on average over queries with answers. */
  readonly firstTen: number;
  /** The share of queries of which both count different totals: names with slips are picked by each in its own way. */
  readonly otherTotals: number;
}

export function agreementOf(answers: readonly Answer[], others: readonly Answer[]): Agreement {
  const shares: number[] = [];
  let different = 0;
  for (const [at, { ids, total }] of answers.entries()) {
    const other = others[at];
    if (total !== other?.total) different += 1;
    const first = new Set(other?.ids.slice(0, 10));
    if (first.size > 0) shares.push(ids.slice(0, 10).filter((id) => first.has(id)).length / first.size);
  }
  const firstTen = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { firstTen, otherTotals: different / answers.length };
}
