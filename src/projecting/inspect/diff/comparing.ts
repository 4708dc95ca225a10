import { isDeepStrictEqual } from 'node:util';

import { isJsonObject, type Json, type JsonObject } from '../../../platform/json.ts';
import type { Stored } from '../../../stores/documents/port.ts';
import type { ReadModelDocument } from '../../engine/projection.ts';
import { leavesOf } from './leaves.ts';
import type { Pair } from './merge-join.ts';
import type { Standing, Standings } from './standings.ts';

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
  /** null where it is not ranked. */
  readonly standing: { readonly before: Standing | null; readonly after: Standing | null };
}

export interface Change {
  readonly before?: Json;
  readonly after?: Json;
}

/** What counts as a change. */
export interface Counting {
  /** Paths into the view; null for all of it. */
  readonly paths: readonly string[] | null;
  /** Whether another rank alone is a change. By default it is not: one entry that rises moves all those below it. */
  readonly rank: boolean;
}

/** How entries of a read model are ranked. */
export interface Ranked {
  readonly before: Standings;
  readonly after: Standings;
  /** null for an entry that has no rank. */
  scoreOf(view: JsonObject): number | null;
}

/**
 * To be asked by id ascending, each id once; `ranked` is null for read models that are not ranked. The answer is null where
 * readers see it in neither.
 */
export function compare(
  pair: Pair<ReadModelDocument>,
  { paths, rank }: Counting,
  ranked: Ranked | null,
): Comparison | null {
  const { id } = pair;
  const [before, after] = [shownView(pair.before), shownView(pair.after)];
  if (before === null && after === null) return null;
  const standing = {
    before: standingIn('before', before, ranked),
    after: standingIn('after', after, ranked),
  };
  const fields = changesOf(before, after, paths);
  const isMoved = rank && standing.before?.rank !== standing.after?.rank;
  const outcome = outcomeOf(before, after, isMoved || fields.size > 0);
  return { id, outcome, before, after, fields, standing };
}

function standingIn(
  side: 'before' | 'after',
  view: JsonObject | null,
  ranked: Ranked | null,
): Standing | null {
  const score = view && ranked ? ranked.scoreOf(view) : null;
  return score === null || ranked === null ? null : ranked[side].next(score);
}

/** What readers see of a document; null where they see nothing. */
export function shownView(stored: Stored<ReadModelDocument> | null): JsonObject | null {
  const view = stored?.body.view;
  if (!isJsonObject(view) || view['published'] === false || view['defined'] === false) return null;
  return view;
}

/** Every leaf that the sides have at these paths, in the order of the first side that has it. */
export function sideBySide(
  before: JsonObject | null,
  after: JsonObject | null,
  paths: readonly string[] | null,
): ReadonlyMap<string, Change> {
  const [old, fresh] = [before, after].map((view) => leavesOf(view ?? {}, paths));
  const fields = new Map<string, Change>();
  for (const path of [...(old?.keys() ?? []), ...(fresh?.keys() ?? [])]) {
    if (path === '') continue;
    const [was, is] = [old?.get(path), fresh?.get(path)];
    fields.set(path, { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) });
  }
  return fields;
}

export function differs({ before, after }: Change): boolean {
  return !isDeepStrictEqual(before, after);
}

/** The fields that differ. */
export function changesOf(
  before: JsonObject | null,
  after: JsonObject | null,
  paths: readonly string[] | null,
): ReadonlyMap<string, Change> {
  // Most are equal, and telling that is cheaper than taking them apart.
  if (isDeepStrictEqual(before, after)) return NONE;
  return new Map([...sideBySide(before, after, paths)].filter(([, change]) => differs(change)));
}

const NONE: ReadonlyMap<string, Change> = new Map();

function outcomeOf(before: unknown, after: unknown, isChanged: boolean): Comparison['outcome'] {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  return isChanged ? 'changed' : 'unchanged';
}
