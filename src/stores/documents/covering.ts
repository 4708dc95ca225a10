import { PermanentError } from '../../platform/errors.ts';
import type { CheckedCondition } from './conditions.ts';
import type { Index } from './port.ts';

/**
 * Refuses a query that no declared index serves, so that a missing index is found by the first test and not by the
 * first large collection.
 *
 * An index serves a query where its first paths are those compared for equality or `in`, in any order among
 * themselves, and the next ones are the other paths of the query (ranges, order, groups), in any order among
 * themselves. Directions do not matter; further paths of the index do not either. Nothing asked for needs no index.
 * @throws {PermanentError} naming the index that is missing.
 */
export function requireIndex(
  collection: string,
  indexes: readonly Index[],
  conditions: readonly CheckedCondition[],
  others: readonly string[],
): void {
  const { first, next } = wantedOf(conditions, others);
  if (first.size + next.size === 0 || servingIndexes(indexes, conditions, others).length > 0) return;
  throw new PermanentError(
    `${collection} declares no index over [${[...first, ...next].join(', ')}]. Declare one, or ask for less.`,
  );
}

/** Those of the indexes that serve a query. */
export function servingIndexes(
  indexes: readonly Index[],
  conditions: readonly CheckedCondition[],
  others: readonly string[],
): readonly Index[] {
  const { first, next } = wantedOf(conditions, others);
  return indexes.filter((index) => {
    const paths = index.map((path) => path.replace(/^-/, ''));
    return startsWith(paths, first) && startsWith(paths.slice(first.size), next);
  });
}

function wantedOf(
  conditions: readonly CheckedCondition[],
  others: readonly string[],
): { readonly first: ReadonlySet<string>; readonly next: ReadonlySet<string> } {
  const first = new Set(conditions.filter(({ kind }) => kind !== 'range').map(({ path }) => path));
  const ranges = conditions.filter(({ kind }) => kind === 'range').map(({ path }) => path);
  return { first, next: new Set([...ranges, ...others].filter((path) => !first.has(path))) };
}

function startsWith(paths: readonly string[], wanted: ReadonlySet<string>): boolean {
  const start = new Set(paths.slice(0, wanted.size));
  return start.size === wanted.size && [...wanted].every((path) => start.has(path));
}
