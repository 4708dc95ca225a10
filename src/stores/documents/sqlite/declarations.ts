import type { CollectionSpec, Table } from '../port.ts';
import { orderOf, type OrderedPath } from '../query.ts';
import { keptColumn, placeOf, tableOf, type Expressions } from './expressions.ts';

/**
 * The statement that makes a table. What its indexes are made of stands in columns of its own: otherwise every index would
 * look into the body for it, that of the document before as well.
 */
export function tableSql({ name, indexes }: CollectionSpec): string {
  const paths = new Set(indexes.flatMap(orderOf).map(({ path }) => path));
  const kept = [...paths].map((path) => `, ${keptColumn(path)}`).join('');
  return `CREATE TABLE ${tableOf(name)} (id TEXT PRIMARY KEY, version TEXT NOT NULL, body TEXT NOT NULL${kept}) STRICT`;
}

/** The statement that makes an index: its paths, then the id, which ends every order. */
export function indexSql(
  collection: string,
  name: string,
  paths: readonly OrderedPath[],
  expressions: Expressions,
): string {
  const columns = paths.map(({ path, descending }) => `${expressions(path)}${descending ? ' DESC' : ''}`);
  return `CREATE INDEX "${name}" ON ${tableOf(collection)} (${columns.join(', ')}, id)`;
}

/**
 * The statement that makes the table for people: a view of SQLite, which nobody can write to. Values are as JSON has
 * them, booleans 1 and 0; what is native stands whole in a column of its own, as JSON text.
 */
export function viewSql({ name, native = [] }: CollectionSpec, table: Table): string {
  const named = Object.entries(table.columns).map(([column, paths]) => {
    const values = [paths].flat().map((path) => `json_extract(${placeOf(path)})`);
    return `${values.length > 1 ? `coalesce(${values.join(', ')})` : values.join('')} AS "${column}"`;
  });
  const whole = native.map((key) => `json_extract(${placeOf(key)}) AS "${key}"`);
  const columns = [`id AS "${table.id}"`, ...named, ...whole].join(', ');
  return `CREATE VIEW "${table.name}" AS SELECT ${columns} FROM ${tableOf(name)}`;
}
