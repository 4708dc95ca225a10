import { isDeepStrictEqual } from 'node:util';

import { isJsonObject, type Json, type JsonObject } from '../../../platform/json-value.ts';

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

export interface Change {
  readonly before?: Json;
  readonly after?: Json;
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
