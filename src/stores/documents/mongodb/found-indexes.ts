import type { Db } from 'mongodb';

import { isPath, rootOf } from '../check-names.ts';
import type { Index } from '../port.ts';
import { ignoreCode, NAMESPACE_NOT_FOUND } from './error-codes.ts';

/** An index as the database has it, under its name there. */
export interface DeclaredIndex {
  readonly name: string;
  readonly paths: Index;
}

/** What the indexes of a collection say of its bodies: the keys that are native, and the paths under them that indexes have. */
export interface Layout {
  readonly keys: ReadonlySet<string>;
  readonly paths: readonly string[];
}

export function layoutOf(paths: readonly string[]): Layout {
  return { keys: new Set(paths.map(rootOf)), paths };
}

/** A collection as it is known to be. */
export interface FoundCollection {
  readonly indexes: readonly DeclaredIndex[];
  readonly layout: Layout;
}

export async function listIndexes(db: Db, name: string): Promise<readonly DeclaredIndex[] | null> {
  const found = await ignoreCode(NAMESPACE_NOT_FOUND, db.collection(name).listIndexes().toArray());
  return !found || found.length === 0 ? null : found.flatMap((index) => foundIndex(index) ?? []);
}

/** Options under which an index does not have every document, refuses some, or orders them otherwise. */
const SPECIAL = ['unique', 'sparse', 'partialFilterExpression', 'collation', 'expireAfterSeconds', 'hidden'];

/** An index that `declare` could have made; null for any other. */
function foundIndex(index: Readonly<Record<string, unknown>>): DeclaredIndex | null {
  if (SPECIAL.some((option) => Boolean(index[option]))) return null;
  const keys = Object.entries((index['key'] ?? {}) as Readonly<Record<string, unknown>>);
  const [id, direction] = keys.at(-1) ?? [];
  if (keys.length < 2 || id !== '_id' || direction !== 1) return null;
  const fields = keys.slice(0, -1);
  if (!fields.every(([field]) => isPath(field))) return null;
  const paths = fields.map(([field, order]) => `${order === -1 ? '-' : ''}${field}`);
  return { name: String(index['name']), paths };
}

/** Each once. */
export function missingIn(wanted: readonly Index[], known: FoundCollection | null): readonly Index[] {
  const missing = new Map(wanted.map((paths) => [String(paths), paths]));
  for (const { paths } of known?.indexes ?? []) missing.delete(String(paths));
  return [...missing.values()];
}
