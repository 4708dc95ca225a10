import type { DatabaseSync } from '../../../platform/sqlite/sqlite.ts';
import type { Table } from '../port.ts';
import { viewSql } from './declarations.ts';

/** Of several collections that are to be shown as one table, it is the one that said so last. */
export function declareTable(
  database: DatabaseSync,
  collection: string,
  table: Table,
  keys: readonly string[],
): void {
  const sql = viewSql(collection, table, keys);
  if (viewsOf(database).some((view) => view.name === table.name && view.sql === sql)) return;
  database.exec(`DROP VIEW IF EXISTS "${table.name}"`);
  database.exec(sql);
}

interface View {
  readonly name: string;
  readonly sql: string;
  /** The table of the collection that it shows, quoted. */
  readonly collection: string;
}

export function viewsOf(database: DatabaseSync): readonly View[] {
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").all();
  return rows.map((row) => {
    const sql = String(row['sql']);
    return { name: String(row['name']), sql, collection: sql.slice(sql.lastIndexOf(' ') + 1) };
  });
}
