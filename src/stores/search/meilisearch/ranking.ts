/** One order out of what several searches found. Pure. */

export interface Match {
  readonly id: string;
  readonly score: number;
  /** The kind of match: the lower, the better. */
  readonly tier: number;
  /** How many slips were allowed for. */
  readonly slips: number;
  /** The engine's own measure, from 0 to 1. */
  readonly relevance: number;
}

/** Every entry once, as its best match: by kind, slips and relevance, then by score, then by id. */
export function ranked(matches: readonly Match[]): readonly string[] {
  const seen = new Set<string>();
  for (const { id } of matches.toSorted(compare)) seen.add(id);
  return [...seen];
}

function compare(one: Match, other: Match): number {
  return (
    one.tier - other.tier ||
    one.slips - other.slips ||
    other.relevance - one.relevance ||
    other.score - one.score ||
    (one.id < other.id ? -1 : 1)
  );
}
