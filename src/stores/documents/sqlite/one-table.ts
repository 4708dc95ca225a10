import type { Row } from '../../../platform/sqlite-statements.ts';
import { tableOf } from './expressions.ts';
import { SCANNED, type Tables } from './tables.ts';

/** Everything in one table: of collections that keep no key beside their bodies. */
export function oneTable(collection: string): Tables {
  const table = tableOf(collection);
  const insert = `INSERT INTO ${table} (id, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`;
  const update = `UPDATE ${table} SET version = ?, body = ? WHERE id = ? AND version = ?`;
  const remove = `DELETE FROM ${table} WHERE id = ? AND version = ?`;
  const select = `SELECT id, version, body FROM ${table}`;
  return {
    byIds: `${select} WHERE id IN (SELECT value FROM json_each(?))`,
    byId: `${select} WHERE id = ?`,
    behind: `${select} WHERE id > ? ORDER BY id LIMIT ${SCANNED}`,
    versions: `SELECT id, version FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    version: `SELECT version FROM ${table} WHERE id = ?`,
    storedOf: ([id, version, body]: Row) => ({
      id: String(id),
      version: String(version),
      body: JSON.parse(String(body)) as unknown,
    }),
    write: ({ id, read, version, body }, run) => {
      const text = JSON.stringify(body);
      return read === null ? run(insert, id, version, text) > 0 : run(update, version, text, id, read) > 0;
    },
    remove: ({ id, read }, run) => run(remove, id, read) > 0,
  };
}
