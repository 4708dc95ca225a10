import { rootOf } from '../names.ts';
import type { Index } from '../port.ts';
import type { Row } from '../../../platform/sqlite-statements.ts';
import {
  besideNameOf,
  besideOf,
  expressionsOf,
  KEPT,
  keyOf,
  KEYS,
  nameOf,
  tableOf,
  type Expressions,
} from './expressions.ts';

/** What the tables of a collection are like: as the release that made them has made them. */
export interface Form {
  readonly indexes: readonly { readonly paths: Index }[];
  /** The keys that stand in columns of their own, next to the rest of the body. */
  readonly apart: readonly string[];
  /** The keys that stand beside its bodies, in the table that `besideOf` names; without any there is no such table. */
  readonly beside: readonly string[];
  /** How the tables have the value at a path. */
  readonly expressions: Expressions;
  /** The table, quoted, that has the values at all of these paths. */
  tableOf(paths: readonly string[]): string;
}

const INDEXES = 'SELECT paths FROM indexes WHERE collection = ?';

export function readForm(collection: string, rows: (sql: string, value: string) => readonly Row[]): Form {
  const names = (sql: string, table: string): readonly string[] =>
    rows(sql, table).map(([name]) => String(name));
  const besideName = besideNameOf(collection);
  const apart = names(KEYS, nameOf(collection)).map(keyOf);
  const beside = names(KEYS, besideName).map(keyOf);
  const kept = new Set([...names(KEPT, nameOf(collection)), ...names(KEPT, besideName)]);
  return {
    indexes: rows(INDEXES, collection).map(([paths]) => ({ paths: JSON.parse(String(paths)) as Index })),
    apart,
    beside,
    expressions: expressionsOf(kept, [...apart, ...beside]),
    tableOf: (paths) =>
      paths.some((path) => beside.includes(rootOf(path))) ? besideOf(collection) : tableOf(collection),
  };
}
