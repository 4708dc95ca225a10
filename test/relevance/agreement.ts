import type { SearchEntry } from '../../src/stores/search/port.ts';
import { inTraits, traitsOf } from '../../src/stores/search/ranking/traits.ts';
import { planOf } from '../../src/stores/search/ranking/plan.ts';
import { relevanceBy } from '../../src/stores/search/ranking/relevance.ts';
import { type Answer, LISTED } from './judging.ts';
import { sampleUnderstanding } from './understanding.ts';

/** The share of a long list that may be names with slips of the finger, which each engine picks in its own way. */
const SLIPS = 0.01;

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

/**
 * What one engine found and the other did not, though slips of the finger do not account for it: by query and entry, and by
 * totals where not all was listed.
 */
export function disagreements(
  answers: readonly Answer[],
  others: readonly Answer[],
  entries: readonly SearchEntry[],
): readonly string[] {
  const understood = sampleUnderstanding();
  const byId = new Map(entries.map((entry) => [entry.id, traitsOf(entry)]));
  return answers.flatMap((answer, at) => {
    const other = others[at];
    if (other === undefined) return [`${answer.query.q}: not asked`];
    if (Math.max(answer.total, other.total) > LISTED) {
      const apart = Math.abs(answer.total - other.total) / Math.max(answer.total, other.total);
      return apart <= SLIPS ? [] : [`${answer.query.q}: ${answer.total} and ${other.total}`];
    }
    const { full, otherwise } = planOf(understood(answer.query.q));
    const lists = [full, ...otherwise].filter((wanted) => wanted !== null);
    const different = [...new Set(answer.ids).symmetricDifference(new Set(other.ids))];
    return different
      .filter((id) => {
        const traits = byId.get(id);
        return traits === undefined || lists.some((wanted) => relevanceBy(wanted, inTraits)(traits) !== null);
      })
      .map((id) => `${answer.query.q}: ${id}`);
  });
}
