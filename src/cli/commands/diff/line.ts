import type { Change, Comparison } from '../../../projecting/inspect/diff/comparing.ts';

/** A difference as `--ndjson` prints it. */
export interface DifferenceLine {
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Absent where the read model is not ranked; null on the side where readers do not see it. */
  readonly score?: Sides;
  readonly rank?: Sides;
  /** The fields that differ; a side that lacks one has no value of it. */
  readonly fields: Readonly<Record<string, Change>>;
}

interface Sides {
  readonly before: number | null;
  readonly after: number | null;
}

/** null where there is no difference. */
export function lineOf({ id, outcome, fields, standing }: Comparison): DifferenceLine | null {
  if (outcome === 'unchanged') return null;
  const { before, after } = standing;
  const isRanked = before !== null || after !== null;
  return {
    id,
    change: outcome,
    ...(isRanked && {
      score: { before: before?.score ?? null, after: after?.score ?? null },
      rank: { before: before?.rank ?? null, after: after?.rank ?? null },
    }),
    fields: Object.fromEntries(fields),
  };
}
