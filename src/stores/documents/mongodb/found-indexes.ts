import type { Db } from 'mongodb';

import type { Index } from '../port.ts';
import { unless } from './errors.ts';
import { NAMESPACE_NOT_FOUND } from './error-codes.ts';
import { type Layout, pathOf } from './layout.ts';

/** An index as the database has it, under its name there. */
export interface DeclaredIndex {
  readonly name: string;
  readonly paths: Index;
  /** Its keys as the database has them, as text to compare. */
  readonly keys: string;
}

/** A collection as it is known to be. */
export interface Known {
  readonly indexes: readonly DeclaredIndex[];
  readonly layout: Layout;
}

export async function listIndexes(db: Db, name: string): Promise<readonly FoundIndex[] | null> {
  const found = await unless(NAMESPACE_NOT_FOUND, db.collection(name).listIndexes().toArray());
  return !found || found.length === 0 ? null : found.flatMap((index) => foundIndex(index) ?? []);
}

/** Options under which an index does not have every document, refuses some, or orders them otherwise. */
const SPECIAL = ['unique', 'sparse', 'partialFilterExpression', 'collation', 'expireAfterSeconds', 'hidden'];

interface FoundIndex extends DeclaredIndex {
  readonly nativePaths: readonly string[];
}

/** An index that `declare` could have made; null for any other. */
function foundIndex(index: Readonly<Record<string, unknown>>): FoundIndex | null {
  if (SPECIAL.some((option) => Boolean(index[option]))) return null;
  const keys = Object.entries((index['key'] ?? {}) as Readonly<Record<string, unknown>>);
  const [id, direction] = keys.at(-1) ?? [];
  if (keys.length < 2 || id !== '_id' || direction !== 1) return null;
  const paths: string[] = [];
  const nativePaths: string[] = [];
  for (const [field, order] of keys.slice(0, -1)) {
    const found = pathOf(field);
    if (found === null) return null;
    paths.push(`${order === -1 ? '-' : ''}${found.path}`);
    if (found.isNative) nativePaths.push(found.path);
  }
  return { name: String(index['name']), paths, nativePaths, keys: JSON.stringify(keys) };
}

export interface WantedIndex {
  readonly paths: Index;
  readonly key: Readonly<Record<string, 1 | -1>>;
}

export function missingIn(wanted: readonly WantedIndex[], known: Known | null): readonly WantedIndex[] {
  const there = new Set(known?.indexes.map(({ keys }) => keys));
  const missing = wanted.map((one) => [JSON.stringify(Object.entries(one.key)), one] as const);
  return [...new Map(missing.filter(([keys]) => !there.has(keys))).values()];
}
