import type { CollectionSpec, Table } from '../port.ts';
import { orderOf, type OrderedPath } from '../query.ts';
import { rootOf } from '../names.ts';
import {
  type Apart,
  besideOf,
  type Expressions,
  keptColumn,
  keyColumn,
  placeOf,
  tableOf,
  textColumn,
} from './expressions.ts';

/**
 * The statements that make a collection's table, and that of what stands beside its bodies: versions, too. What its indexes are
 * made of stands in columns of its own: otherwise every index would look into the body for it, that of the document before
 * as well. So does each native key, before the rest of the body: a reader of it alone passes nothing else.
 */
export function tableSql({ name, indexes, native = [], beside = [] }: CollectionSpec): string {
  const paths = new Set(indexes.flatMap(orderOf).map(({ path }) => path));
  const kept = (are: 'in the body' | 'beside'): string =>
    [...paths]
      .filter((path) => beside.includes(rootOf(path)) === (are === 'beside'))
      .map((path) => `, ${keptColumn(path, { native, beside })}`)
      .join('');
  const columnsOf = (keys: readonly string[]): string =>
    keys.map((key) => `${keyColumn(key)} TEXT, `).join('');
  const bodies = `${columnsOf(native)}${textColumn(native)} TEXT NOT NULL${kept('in the body')}`;
  if (beside.length === 0)
    return `CREATE TABLE ${tableOf(name)} (id TEXT PRIMARY KEY, version TEXT NOT NULL, ${bodies}) STRICT`;
  // The second is how a body is found by its id, too.
  return (
    `CREATE TABLE ${tableOf(name)} (place INTEGER PRIMARY KEY, id TEXT NOT NULL, ${bodies}) STRICT; ` +
    `CREATE TABLE ${besideOf(name)} (id TEXT PRIMARY KEY, version TEXT NOT NULL, ${columnsOf(beside)}` +
    `place INTEGER NOT NULL${kept('beside')}) STRICT, WITHOUT ROWID`
  );
}

/** The statement that makes an index: its paths, then the id, which ends every order. */
export function indexSql(
  table: string,
  name: string,
  paths: readonly OrderedPath[],
  expressions: Expressions,
): string {
  const columns = paths.map(({ path, descending }) => `${expressions(path)}${descending ? ' DESC' : ''}`);
  return `CREATE INDEX "${name}" ON ${table} (${columns.join(', ')}, id)`;
}

/**
 * The statement that makes the table for people: a view of SQLite, which nobody can write to. Values are as JSON has
 * them, booleans 1 and 0; what is native stands whole in a column of its own, as JSON text.
 */
export function viewSql({ name, native = [] }: CollectionSpec, table: Table, apart: Apart): string {
  const named = Object.entries(table.columns).map(([column, paths]) => {
    const values = [paths].flat().map((path) => `json_extract(${placeOf(path, apart)})`);
    return `${values.length > 1 ? `coalesce(${values.join(', ')})` : values.join('')} AS "${column}"`;
  });
  const whole = native.map((key) => `json_extract(${placeOf(key, apart)}) AS "${key}"`);
  const columns = [`id AS "${table.id}"`, ...named, ...whole].join(', ');
  return `CREATE VIEW "${table.name}" AS SELECT ${columns} FROM ${tableOf(name)}`;
}
