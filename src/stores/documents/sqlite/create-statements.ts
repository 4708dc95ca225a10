import { rootsOf } from '../names.ts';
import type { CollectionSpec, Index } from '../port.ts';
import { orderOf } from '../check-query.ts';
import { keyColumn, tableOf, valueColumn, valueColumnSql } from './columns.ts';

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
