import { UsageError } from '../../../platform/errors.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { ReadModelDocument } from '../../engine/projection.ts';
import { StoppedError } from '../../engine/retry.ts';
import { compareEntry, type Comparison } from './compare-entry.ts';
import { leavesOf } from './leaves.ts';
import { type RankPair, readRanks } from './rank-by-score.ts';
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
    ? { before: await readRanks(documents, before), after: await readRanks(documents, after) }
    : null;
  const sizes = [before, after].map((build) => documents.count(build, { where: {}, by: [] }));
  const total = (await Promise.all(sizes)).flat().reduce((sum, { count }) => sum + count, 0);
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
    const comparison = compareEntry(pair, paths, ranked);
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
