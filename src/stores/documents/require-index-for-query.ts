import { PermanentError } from '../../platform/errors.ts';
import type { Index } from './port.ts';
import type { CheckedQuery } from './check-query.ts';

/**
 * The declared indexes that serve a query. One that none serves is refused, so that a missing index is found by the
 * first test and not by the first large collection.
 *
 * An index serves a query where its first paths are those compared for equality or `in`, in any order among
 * themselves, and the next ones are the other paths of the query (ranges, order, groups), in any order among
 * themselves. Directions do not matter; further paths of the index do not either. Nothing asked for needs no index.
 * @throws {PermanentError} naming the index that is missing.
 */
export function indexesForQuery<Declared extends { readonly paths: Index }>(
  collection: string,
  indexes: readonly Declared[],
  { conditions, paths }: CheckedQuery,
): readonly Declared[] {
  const first = new Set(conditions.filter(({ kind }) => kind !== 'range').map(({ path }) => path));
  const ranges = conditions.filter(({ kind }) => kind === 'range').map(({ path }) => path);
  const next = new Set([...ranges, ...paths].filter((path) => !first.has(path)));
  if (first.size + next.size === 0) return [];
  const serving = indexes.filter((index) => {
    const all = index.paths.map((path) => path.replace(/^-/, ''));
    return startsWith(all, first) && startsWith(all.slice(first.size), next);
  });
  if (serving.length > 0) return serving;
  throw new PermanentError(
    `${collection} declares no index over [${[...first, ...next].join(', ')}]. Declare one, or ask for less.`,
  );
}

function startsWith(paths: readonly string[], wanted: ReadonlySet<string>): boolean {
  const start = new Set(paths.slice(0, wanted.size));
  return start.size === wanted.size && [...wanted].every((path) => start.has(path));
}
