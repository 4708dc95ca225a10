import type { Bindable, Row } from '../../../platform/sqlite/connection.ts';
import type { Index } from '../port.ts';
import { COLUMNS, nameOf } from './columns.ts';
import { type CollectionTable, collectionTable } from './table-statements.ts';

/** What is known of a collection, whoever has made it. */
export interface Collection {
  readonly indexes: readonly { readonly paths: Index }[];
  /** The keys of bodies that have columns of their own. */
  readonly keys: readonly string[];
  readonly table: CollectionTable;
}

const EXISTS = 'SELECT 1 FROM collections WHERE name = ?';
const INDEXES = 'SELECT paths FROM indexes WHERE collection = ?';

export type Rows = (sql: string, ...values: readonly Bindable[]) => readonly Row[];

/**
 * The collections of a file, as far as they were asked for. Whatever declares or drops one, in any process, changes the number
 * of the file's schema: it is asked for in the transaction that needs to know, and what was known of another one is forgotten.
 */
export function knownCollections(rows: Rows) {
  const known = new Map<string, Collection | null>();
  let schema: unknown;
  /** Null where there is none of this name. Part of a transaction. */
  return (name: string): Collection | null => {
    const now = rows('PRAGMA schema_version')[0]?.[0];
    if (now !== schema) known.clear();
    schema = now;
    return known.getOrInsertComputed(name, () => look(name, rows));
  };
}

function look(name: string, rows: Rows): Collection | null {
  if (rows(EXISTS, name).length === 0) return null;
  const keys = columnsOf(name, 'k:', rows);
  const indexes = rows(INDEXES, name).map(([paths]) => ({ paths: JSON.parse(String(paths)) as Index }));
  return { indexes, keys, table: collectionTable(name, keys) };
}

/** What the columns of a collection's table are of whose names begin so. */
export function columnsOf(name: string, kind: 'k:' | 'v:', rows: Rows): readonly string[] {
  return rows(COLUMNS, nameOf(name), `${kind}%`).map(([column]) => String(column));
}
