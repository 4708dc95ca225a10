import { rootsOf } from '../names.ts';
import type { CollectionSpec, Index, Table } from '../port.ts';
import { orderOf } from '../query.ts';
import { keyColumn, placeOf, tableOf, valueColumn, valueColumnSql } from './columns.ts';

/**
 * The statement that makes a collection's table. What its indexes are made of stands in columns of its own: otherwise every
 * index would look into the body for it, that of the document before as well. So does each key that an index begins with,
 * before the rest of the body: a reader of it alone passes nothing else.
 */
export function tableSql({ name, indexes }: CollectionSpec): string {
  const keys = rootsOf(indexes);
  const paths = new Set(indexes.flatMap(orderOf).map(({ path }) => path));
  const columns = [
    'id TEXT PRIMARY KEY',
    'version TEXT NOT NULL',
    ...keys.map((key) => `${keyColumn(key)} TEXT`),
    'rest TEXT NOT NULL',
    ...[...paths].map((path) => `${valueColumnSql(path, keys)} STORED`),
  ];
  return `CREATE TABLE ${tableOf(name)} (${columns.join(', ')}) STRICT`;
}

/** The statement that makes an index: its paths, then the id, which ends every order. */
export function indexSql(collection: string, name: string, index: Index): string {
  const columns = orderOf(index).map(
    ({ path, descending }) => `${valueColumn(path)}${descending ? ' DESC' : ''}`,
  );
  return `CREATE INDEX "${name}" ON ${tableOf(collection)} (${columns.join(', ')}, id)`;
}

/**
 * The statement that makes the table for people: a view of SQLite, which nobody can write to. Values are as JSON has
 * them, booleans 1 and 0, objects and lists as JSON text.
 */
export function viewSql(collection: string, table: Table, keys: readonly string[]): string {
  const named = Object.entries(table.columns).map(([column, paths]) => {
    const values = [paths].flat().map((path) => `json_extract(${placeOf(path, keys)})`);
    return `${values.length > 1 ? `coalesce(${values.join(', ')})` : values.join('')} AS "${column}"`;
  });
  const columns = [`id AS "${table.id}"`, ...named].join(', ');
  return `CREATE VIEW "${table.name}" AS SELECT ${columns} FROM ${tableOf(collection)}`;
}
