import { UsageError } from '../../../platform/errors.ts';
import {
  compare,
  hasField,
  type Comparison,
  type Counting,
  type Ranked,
} from '../../../projecting/inspect/diff/comparing.ts';
import { mergeById } from '../../../projecting/inspect/diff/merge-join.ts';
import { Stopped } from '../../../projecting/engine/retry.ts';
import type { ReadModelDocument } from '../../../projecting/engine/projection.ts';
import type { Documents, Stored } from '../../../stores/documents/port.ts';
import type { Progress } from '../../progress.ts';

export interface ReadingParts {
  readonly documents: Documents;
  readonly signal: AbortSignal;
  /** The collections. */
  readonly before: string;
  readonly after: string;
  /** Told of the documents read; null where nobody looks on. */
  readonly progress: Progress | null;
}

type Scan = AsyncIterable<readonly Stored<ReadModelDocument>[]>;

/**
 * Every entry that readers see in either build, by id ascending, in batches; `ranked` is null where the read model is not.
 * Both are read once, side by side, and nothing is kept.
 * @throws {UsageError} at the end, where a field that counts was on no side of any entry.
 * @throws {Stopped} where the signal was aborted.
 */
export async function* readComparisons(
  parts: ReadingParts,
  counting: Counting,
  ranked: Ranked | null,
): AsyncGenerator<readonly Comparison[]> {
  const { before, after } = parts;
  const scan = await scanning(parts);
  const unseen = new Set(counting.paths);
  let isEmpty = true;
  for await (const pairs of mergeById(scan(before), scan(after))) {
    const batch = pairs.map((pair) => compare(pair, counting, ranked)).filter((one) => one !== null);
    for (const path of unseen) if (batch.some((one) => hasField(one, path))) unseen.delete(path);
    isEmpty &&= batch.length === 0;
    yield batch;
  }
  if (unseen.size > 0 && !isEmpty)
    throw new UsageError(
      `No entry of ${before} or ${after} has ${[...unseen].join(', ')}: --fields takes names such as score.value, title.en, rank.`,
    );
}

/** Scans that tell how far they have come, and end where they are told to. */
async function scanning({
  documents,
  signal,
  before,
  after,
  progress,
}: ReadingParts): Promise<(collection: string) => Scan> {
  const sizes = await Promise.all([before, after].map(async (build) => await sizeOf(documents, build)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  return async function* scan(collection) {
    for await (const batch of documents.scan<ReadModelDocument>(collection)) {
      if (signal.aborted) throw new Stopped('diff: stopped');
      yield batch;
      done += batch.length;
      // Others may have written meanwhile.
      progress?.update(done, Math.max(done, total));
    }
  };
}

async function sizeOf(documents: Documents, collection: string): Promise<number> {
  const [group] = await documents.count(collection, { where: {}, by: [] });
  return group?.count ?? 0;
}
