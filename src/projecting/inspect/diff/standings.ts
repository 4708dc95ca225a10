/**
 * Ranks without a list of all entries: how many have each score says where those of a score begin. A rank counts from 1, by
 * score and then by id: the order that `/top` has. Two entries never share one.
 */
export interface Standings {
  /** The rank of the next entry. To be asked once for each entry, by id ascending: so equal scores are told apart. */
  next(score: number): number;
}

/** `counts`: how many entries have a score, each score once. */
export function standingsOf(counts: Iterable<readonly [score: number, entries: number]>): Standings {
  const descending = [...counts].sort(([a], [b]) => b - a);
  const places = new Map<number, number>();
  let rank = 1;
  for (const [score, entries] of descending) {
    places.set(score, rank);
    rank += entries;
  }
  /** Of a score that nobody had when they were counted: behind all that are higher. */
  const placeOf = (score: number): number =>
    1 + descending.reduce((sum, [other, entries]) => sum + (other > score ? entries : 0), 0);
  return {
    next: (score) => {
      const place = places.get(score) ?? placeOf(score);
      places.set(score, place + 1);
      return place;
    },
  };
}
