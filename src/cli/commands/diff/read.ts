import type { Parts } from '../../../compose/parts.ts';
import { UsageError } from '../../../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json.ts';
import { Stopped } from '../../../projecting/engine/retry.ts';
import type { Projection, ReadModelDocument } from '../../../projecting/engine/projection.ts';
import {
  compare,
  type Comparison,
  type Counting,
  type Ranked,
} from '../../../projecting/inspect/diff/comparing.ts';
import { leavesOf } from '../../../projecting/inspect/diff/leaves.ts';
import { mergeById } from '../../../projecting/inspect/diff/merge-join.ts';
import { standingsOf, type Standings } from '../../../projecting/inspect/diff/standings.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { Progress } from '../../progress.ts';

export interface ReadParts extends Pick<Parts, 'documents'> {
  readonly signal: AbortSignal;
  /** The collections. */
  readonly before: string;
  readonly after: string;
  /** Told of the documents read; null where nobody looks on. */
  readonly progress: Progress | null;
}

/**
 * Every entry that readers see in either build, by id ascending. Both are read once, side by side, and nothing is kept.
 * @throws {UsageError} at the end, where a field that counts was on no side of any entry.
 * @throws {Stopped} where the signal was aborted.
 */
export async function* readComparisons(
  { documents, signal, before, after, progress }: ReadParts,
  counting: Counting,
  isWithRanks: boolean,
): AsyncGenerator<Comparison> {
  const ranked = isWithRanks ? await readRanked(documents, before, after) : null;
  const sizes = await Promise.all(
    [before, after].map((build) => documents.count(build, { where: {}, by: [] })),
  );
  const total = sizes.flat().reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  async function* scan(build: string) {
    for await (const batch of documents.scan<ReadModelDocument>(build)) {
      if (signal.aborted) throw new Stopped('diff: stopped');
      yield batch;
      done += batch.length;
      // Others may have written meanwhile.
      progress?.update(done, Math.max(done, total));
    }
  }
  const unseen = new Set(counting.paths);
  let isEmpty = true;
  for await (const pair of mergeById(scan(before), scan(after))) {
    const comparison = compare(pair, counting, ranked);
    if (comparison === null) continue;
    isEmpty = false;
    for (const path of unseen) if (hasField(comparison, path)) unseen.delete(path);
    yield comparison;
  }
  if (unseen.size > 0 && !isEmpty)
    throw new UsageError(
      `No entry of ${before} or ${after} has ${[...unseen].join(', ')}: --fields takes names such as score.value, title.en, rank.`,
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

/** As the two builds are ranked at this moment: those that are published, by their score. */
async function readRanked(documents: Documents, before: string, after: string): Promise<Ranked> {
  return {
    before: await readStandings(documents, before),
    after: await readStandings(documents, after),
    scoreOf,
  };
}

function scoreOf({ score }: JsonObject): number | null {
  const value = isJsonObject(score) ? score['value'] : undefined;
  return typeof value === 'number' ? value : null;
}

async function readStandings(documents: Documents, collection: string): Promise<Standings> {
  const groups = await documents.count(collection, { where: { 'view.published': true }, by: [SCORE] });
  return standingsOf(
    groups.flatMap(({ values: [score], count }): readonly (readonly [number, number])[] =>
      typeof score === 'number' ? [[score, count]] : [],
    ),
  );
}
