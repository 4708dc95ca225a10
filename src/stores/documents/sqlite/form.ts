import { rootOf } from '../names.ts';
import type { Index } from '../port.ts';
import type { Row } from '../../../platform/sqlite-statements.ts';
import {
  type Apart,
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
  /** Without keys beside its bodies there is no table that `besideOf` names. */
  readonly apart: Apart;
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
  const native = names(KEYS, nameOf(collection)).map(keyOf);
  const beside = names(KEYS, besideName).map(keyOf);
  const kept = new Set([...names(KEPT, nameOf(collection)), ...names(KEPT, besideName)]);
  return {
    indexes: rows(INDEXES, collection).map(([paths]) => ({ paths: JSON.parse(String(paths)) as Index })),
    apart: { native, beside },
    expressions: expressionsOf(kept, { native, beside }),
    tableOf: (paths) =>
      paths.some((path) => beside.includes(rootOf(path))) ? besideOf(collection) : tableOf(collection),
  };
}
