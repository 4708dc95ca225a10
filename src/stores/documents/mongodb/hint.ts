import type { CheckedCondition, OrderedPath } from '../conditions.ts';
import { servingIndexes } from '../covering.ts';
import type { DeclaredIndex } from './collections.ts';

/** The index of every collection, over the ids. */
export const ID_INDEX = '_id_';

/** The name of the index to go through: one that has the order, if there is one, and of those the shortest. */
export function hintOf(
  indexes: readonly DeclaredIndex[],
  conditions: readonly CheckedCondition[],
  paths: readonly string[],
  order: readonly OrderedPath[],
): string {
  if (conditions.length === 0 && paths.length === 0) return ID_INDEX;
  const served = servingIndexes(
    indexes.map((index) => index.paths),
    conditions,
    paths,
  );
  const ordered = order.map(({ path, descending }) => `${descending ? '-' : ''}${path}`).join(',');
  const [best] = indexes
    .filter((index) => served.includes(index.paths))
    .map((index) => ({
      name: index.name,
      isSorted: index.paths.join(',').endsWith(ordered),
      paths: index.paths,
    }))
    .sort((a, b) => Number(b.isSorted) - Number(a.isSorted) || a.paths.length - b.paths.length);
  return best?.name ?? ID_INDEX;
}
