import { isDeepStrictEqual } from 'node:util';

import { isJsonObject, type Json, type JsonObject } from '../../../platform/json-value.ts';
import type { Stored } from '../../../stores/documents/port.ts';
import type { ReadModelDocument } from '../../engine/projection.ts';
import type { MergedById } from '../../search/merge-by-id.ts';

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

export interface Change {
  readonly before?: Json;
  readonly after?: Json;
}

export interface Sides {
  readonly before: number | null;
  readonly after: number | null;
}

/** The rank of the next entry, by its score. */
export type Standings = (score: number) => number;

/** How the entries of both builds stand; null for read models that are not ranked. */
export type RankPair = { readonly before: Standings; readonly after: Standings } | null;

/**
 * To be asked by id ascending, each id once. The answer is null where readers see it in neither.
 * @param paths - Of the fields that count as a change; null for all of the view. A rank never does: one entry that rises
 *   moves all those below it.
 */
export function compare(
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

/** The leaves that differ, among those at these paths, in the order of the first side that has them. */
export function changesOf(
  before: JsonObject | null,
  after: JsonObject | null,
  paths: readonly string[] | null,
): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  // Most are equal, and telling that is cheaper than taking them apart.
  if (isDeepStrictEqual(before, after)) return changes;
  const [old, fresh] = [leavesOf(before ?? {}, paths), leavesOf(after ?? {}, paths)];
  for (const path of new Set([...old.keys(), ...fresh.keys()])) {
    const [was, is] = [old.get(path), fresh.get(path)];
    if (path === '' || isDeepStrictEqual(was, is)) continue;
    changes.set(path, { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) });
  }
  return changes;
}

/**
 * A view as its leaves: the path of each, and its value. A list whose elements are told apart by their `key` or their `day`
 * is followed into its elements (`score.breakdown.audience.points`), any other list is one value.
 */
export type Leaves = ReadonlyMap<string, Json>;

/** The leaves at these paths and below them; those of the whole view where no paths are given. */
export function leavesOf(view: JsonObject, paths: readonly string[] | null): Leaves {
  const leaves = new Map<string, Json>();
  for (const path of paths ?? ['']) {
    const value = path === '' ? view : valueAt(view, path);
    if (value !== undefined) collect(value, path, leaves);
  }
  return leaves;
}

function valueAt(view: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = view;
  for (const key of path.split('.')) value = value === undefined ? undefined : partsOf(value)?.get(key);
  return value;
}

function collect(value: Json, path: string, leaves: Map<string, Json>): void {
  const parts = partsOf(value);
  if (parts === null || parts.size === 0) leaves.set(path, value);
  else for (const [key, part] of parts) collect(part, path === '' ? key : `${path}.${key}`, leaves);
}

/** null where it is one value. */
function partsOf(value: Json): ReadonlyMap<string, Json> | null {
  if (isJsonObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return null;
  const list = value as readonly Json[];
  return elementsOf(list, 'key') ?? elementsOf(list, 'day');
}

/** Of a list whose elements have names of their own; null of any other. */
function elementsOf(list: readonly Json[], name: string): ReadonlyMap<string, Json> | null {
  const elements = new Map<string, Json>();
  for (const element of list) {
    if (!isJsonObject(element)) return null;
    const { [name]: key, ...rest } = element;
    if (typeof key === 'string') elements.set(key, rest);
  }
  return list.length > 0 && elements.size === list.length ? elements : null;
}
