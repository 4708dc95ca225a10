import type { Index } from '../port.ts';
import type { Row } from '../../../platform/sqlite-statements.ts';
import { type Expressions, expressionsOf, KEPT, keyOf, KEYS, nameOf } from './expressions.ts';

/** What the table of a collection is like, whoever has made it. */
export interface Form {
  readonly indexes: readonly { readonly paths: Index }[];
  /** The keys of bodies that have columns of their own. */
  readonly keys: readonly string[];
  /** How the table has the value at a path. */
  readonly expressions: Expressions;
}

const INDEXES = 'SELECT paths FROM indexes WHERE collection = ?';

export function readForm(collection: string, rows: (sql: string, value: string) => readonly Row[]): Form {
  const columns = (sql: string): readonly string[] =>
    rows(sql, nameOf(collection)).map(([name]) => String(name));
  const keys = columns(KEYS).map(keyOf);
  return {
    indexes: rows(INDEXES, collection).map(([paths]) => ({ paths: JSON.parse(String(paths)) as Index })),
    keys,
    expressions: expressionsOf(new Set(columns(KEPT)), keys),
  };
}
