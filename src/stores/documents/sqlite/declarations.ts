import type { CollectionSpec, Table } from '../port.ts';
import type { OrderedPath } from '../query.ts';
import { expressionOf, placeOf, tableOf } from './expressions.ts';

/** The statement that makes an index: its paths, then the id, which ends every order. */
export function indexSql(collection: string, name: string, paths: readonly OrderedPath[]): string {
  const columns = paths.map(({ path, descending }) => `${expressionOf(path)}${descending ? ' DESC' : ''}`);
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
