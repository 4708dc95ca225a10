import type { Documents } from '../../../stores/documents/port.ts';
import type { Projection } from '../../engine/projection.ts';

/** The rank of the next entry, by its score. */
export type Ranks = (score: number) => number;

/** How the entries of both builds stand; null for read models that are not ranked. */
export type RankPair = { readonly before: Ranks; readonly after: Ranks } | null;

const SCORE = 'view.score.value';

/** Whether readers can have the entries of a read model by their score. */
export function isRanked({ indexes }: Pick<Projection, 'indexes'>): boolean {
  return indexes.some((paths) => paths.includes(`-${SCORE}`));
}

/** As a build is ranked at this moment: those that are published, by their score. */
export async function readRanks(documents: Documents, collection: string): Promise<Ranks> {
  const groups = await documents.count(collection, { where: { 'view.published': true }, by: [SCORE] });
  return ranksOf(
    groups.flatMap(({ values: [score], count }): readonly (readonly [number, number])[] =>
      typeof score === 'number' ? [[score, count]] : [],
    ),
  );
}

/**
 * Ranks without a list of all entries: how many have each score says where those of a score begin. A rank counts from 1, by
 * score and then by id: the order that `/top` has. Two entries never share one.
 * @param counts how many entries have a score, each score once.
 * @returns the rank of the next entry. To be asked once for each entry, by id ascending: so equal scores are told apart.
 */
export function ranksOf(counts: Iterable<readonly [score: number, entries: number]>): Ranks {
  const all = [...counts];
  const next = new Map<number, number>();
  const firstOf = (score: number): number =>
    1 + all.reduce((sum, [other, entries]) => sum + (other > score ? entries : 0), 0);
  return (score) => {
    const rank = next.get(score) ?? firstOf(score);
    next.set(score, rank + 1);
    return rank;
  };
}
