import { UsageError } from '../../../platform/errors.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { Projection, ReadModelDocument } from '../../engine/projection.ts';
import { StoppedError } from '../../engine/retry.ts';
import { compare, leavesOf, type Comparison, type RankPair, type Standings } from './comparison.ts';
import { mergeById } from '../../search/merge-by-id.ts';

export interface ComparedBuilds {
  readonly documents: Documents;
  readonly signal: AbortSignal;
  /** The collections. */
  readonly before: string;
  readonly after: string;
  /** Of the fields that count as a change; null for all. */
  readonly paths: readonly string[] | null;
  readonly isRanked: boolean;
  /** Told of the documents read, and of how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Every entry that readers see in either build, by id ascending. Both are read once, side by side, and nothing is kept.
 * @throws {UsageError} at the end, where a field that counts was on no side of any entry.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function* compareBuilds(builds: ComparedBuilds): AsyncGenerator<Comparison> {
  const { documents, signal, before, after, paths, isRanked: hasRanks, onProgress } = builds;
  const ranked: RankPair = hasRanks
    ? { before: await readStandings(documents, before), after: await readStandings(documents, after) }
    : null;
  const sizes = await Promise.all(
    [before, after].map((build) => documents.count(build, { where: {}, by: [] })),
  );
  const total = sizes.flat().reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  async function* scan(build: string) {
    for await (const batch of documents.scan<ReadModelDocument>(build)) {
      if (signal.aborted) throw new StoppedError('diff: stopped');
      yield batch;
      done += batch.length;
      // Others may have written meanwhile.
      onProgress?.(done, Math.max(done, total));
    }
  }
  const unseen = new Set(paths);
  let isEmpty = true;
  for await (const pair of mergeById(scan(before), scan(after))) {
    const comparison = compare(pair, paths, ranked);
    if (comparison === null) continue;
    isEmpty = false;
    for (const path of unseen) if (hasField(comparison, path)) unseen.delete(path);
    yield comparison;
  }
  if (unseen.size > 0 && !isEmpty)
    throw new UsageError(
      `No entry of ${before} or ${after} has ${[...unseen].join(', ')}: --fields takes names such as score.value or title.en.`,
    );
}

function hasField({ before, after }: Comparison, path: string): boolean {
  return [before, after].some((view) => view !== null && leavesOf(view, [path]).size > 0);
}

const SCORE = 'view.score.value';

/** Whether readers can have the entries of a read model by their score. */
export function isRanked({ indexes }: Pick<Projection, 'indexes'>): boolean {
  return indexes.some((paths) => paths.includes(`-${SCORE}`));
}

/** As a build is ranked at this moment: those that are published, by their score. */
async function readStandings(documents: Documents, collection: string): Promise<Standings> {
  const groups = await documents.count(collection, { where: { 'view.published': true }, by: [SCORE] });
  return standingsOf(
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
export function standingsOf(counts: Iterable<readonly [score: number, entries: number]>): Standings {
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
