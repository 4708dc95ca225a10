/** One order out of the lists that several searches found, or out of their beginnings. Pure. */

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

/**
 * The first entries of all lists, each once, as its best match: by kind, slips and relevance, then by score, then by id.
 * Only what stands first in the lists is ever compared, so none is reordered, and the first of each that are asked for
 * are enough: the pages of a query are parts of one order, whatever the engine's measure is worth.
 */
export function ranked(lists: readonly (readonly Match[])[], count: number): readonly string[] {
  const seen = new Set<string>();
  const places = lists.map(() => 0);
  while (seen.size < count) {
    const heads = lists.flatMap((list, at) => {
      const match = list[places[at] ?? 0];
      return match === undefined ? [] : [{ match, at }];
    });
    const [best] = heads.toSorted((one, other) => compare(one.match, other.match));
    if (best === undefined) break;
    seen.add(best.match.id);
    places[best.at] = (places[best.at] ?? 0) + 1;
  }
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
