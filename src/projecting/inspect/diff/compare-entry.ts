import { isJsonObject, type JsonObject } from '../../../platform/json-value.ts';
import type { Stored } from '../../../stores/documents/port.ts';
import type { ReadModelDocument } from '../../engine/projection.ts';
import type { MergedById } from '../../search/merge-by-id.ts';
import { type Change, changesOf } from './leaves.ts';
import type { RankPair } from './rank-by-score.ts';

/**
 * What readers see of one entry in two builds. An entry that they do not see (unpublished, removed, measured alone) is
 * none: unpublishing it removes it, whatever is still stored.
 */
export interface Comparison {
  readonly id: string;
  readonly outcome: 'added' | 'removed' | 'changed' | 'unchanged';
  /** null where readers do not see it. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** The fields that differ, among those that count; a side that lacks one has no value of it. */
  readonly fields: ReadonlyMap<string, Change>;
  /** null on a side where it has none. */
  readonly score: Sides;
  readonly rank: Sides;
}

export interface Sides {
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * To be asked by id ascending, each id once. The answer is null where readers see it in neither.
 * @param paths - Of the fields that count as a change; null for all of the view. A rank never does: one entry that rises
 *   moves all those below it.
 */
export function compareEntry(
  pair: MergedById<Stored<ReadModelDocument>>,
  paths: readonly string[] | null,
  ranked: RankPair,
): Comparison | null {
  const [before, after] = [shownView(pair.before), shownView(pair.after)];
  if (before === null && after === null) return null;
  const fields = changesOf(before, after, paths);
  const score = { before: ranked && scoreOf(before), after: ranked && scoreOf(after) };
  const rank = {
    before: score.before === null ? null : (ranked?.before(score.before) ?? null),
    after: score.after === null ? null : (ranked?.after(score.after) ?? null),
  };
  const outcome =
    before === null ? 'added' : after === null ? 'removed' : fields.size > 0 ? 'changed' : 'unchanged';
  return { id: pair.id, outcome, before, after, fields, score, rank };
}

function scoreOf(view: JsonObject | null): number | null {
  const score = view?.['score'];
  const value = isJsonObject(score) ? score['value'] : null;
  return typeof value === 'number' ? value : null;
}

/** What readers see of a document; null where they see nothing. */
function shownView(stored: Stored<ReadModelDocument> | null): JsonObject | null {
  const view = stored?.body.view;
  if (!isJsonObject(view) || view['published'] === false || view['defined'] === false) return null;
  return view;
}
