import { isJsonObject, type Json, type JsonObject } from '../../../platform/json.ts';

/**
 * A view as its leaves: the path of each, and its value. A list whose elements are told apart by their `key` or their `day`
 * is followed into its elements (`score.breakdown.audience.points`), any other list is one value.
 */
export type Leaves = ReadonlyMap<string, Json>;

/** The leaves at these paths and below them; those of the whole view where no paths are given. */
export function leavesOf(view: JsonObject, paths: readonly string[] | null): Leaves {
  const leaves = new Map<string, Json>();
  if (paths === null) collect(view, '', leaves);
  else for (const path of paths) collectAt(view, path, leaves);
  return leaves;
}

/** Whether the view has this path, null included. */
export function hasPath(view: JsonObject, path: string): boolean {
  return valueAt(view, path) !== undefined;
}

function collectAt(view: JsonObject, path: string, leaves: Map<string, Json>): void {
  const value = valueAt(view, path);
  if (value !== undefined) collect(value, path, leaves);
}

function valueAt(view: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = view;
  for (const key of path.split('.')) value = value === undefined ? undefined : partsOf(value)?.get(key);
  return value;
}

function collect(value: Json, path: string, leaves: Map<string, Json>): void {
  const parts = partsOf(value);
  if (parts === null || parts.size === 0) {
    leaves.set(path, value);
    return;
  }
  for (const [key, part] of parts) collect(part, path === '' ? key : `${path}.${key}`, leaves);
}

/** null where it is one value. */
function partsOf(value: Json): ReadonlyMap<string, Json> | null {
  if (Array.isArray(value)) return elementsOf(value as readonly Json[]);
  return isJsonObject(value) ? new Map(Object.entries(value)) : null;
}

function elementsOf(list: readonly Json[]): ReadonlyMap<string, Json> | null {
  for (const name of ['key', 'day']) {
    const elements = new Map<string, Json>();
    for (const element of list) {
      const key = isJsonObject(element) ? element[name] : undefined;
      if (typeof key === 'string' && isJsonObject(element)) elements.set(key, without(element, name));
    }
    if (list.length > 0 && elements.size === list.length) return elements;
  }
  return null;
}

function without(element: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(element).filter(([key]) => key !== name));
}
