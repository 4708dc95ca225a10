import type { Row } from '../../../platform/sqlite-statements.ts';
import { placeholders, putTogether, settings, takeApart, type Values } from './apart.ts';
import { keyColumn, tableOf, textColumn } from './expressions.ts';
import { createParts } from './parts.ts';
import { type Reading, type ReadingSql, SCANNED, type Tables } from './tables.ts';

const NONE: ReadonlySet<string> = new Set();

/** Everything in one table, in which native keys have columns of their own: of collections that keep no key beside their bodies. */
export function oneTable(collection: string, native: readonly string[]): Tables {
  const table = tableOf(collection);
  const named = ['version', textColumn(native), ...native.map(keyColumn)];
  const insert = `INSERT INTO ${table} (id, ${named.join(', ')}) VALUES (?, ${placeholders(named)}) ON CONFLICT DO NOTHING`;
  const update = `UPDATE ${table} SET ${settings(named)} WHERE id = ? AND version = ?`;
  const remove = `DELETE FROM ${table} WHERE id = ? AND version = ?`;
  const select = (what: readonly string[]): string => `SELECT ${['id', ...what].join(', ')} FROM ${table}`;
  const ofIds = 'WHERE id IN (SELECT value FROM json_each(?))';
  const statements = (what: readonly string[]): ReadingSql => ({
    byIds: `${select(what)} ${ofIds}`,
    byId: `${select(what)} WHERE id = ?`,
    behind: `${select(what)} WHERE id > ? ORDER BY id LIMIT ${SCANNED}`,
  });
  const whole: Reading = {
    ...statements(named),
    storedOf: ([id, version, text, ...values]: Row) => ({
      id: String(id),
      version: String(version),
      body: putTogether(String(text), native, values),
    }),
  };
  return {
    whole,
    part: createParts(whole, native, (columns) => statements(['version', ...columns])),
    versions: `${select(['version'])} ${ofIds}`,
    version: `SELECT version FROM ${table} WHERE id = ?`,
    alone: NONE,
    write: ({ id, read, version, body }, run) => {
      const { rest, values } = takeApart(body as Values, native);
      return read === null
        ? run(insert, id, version, rest, ...values) > 0
        : run(update, version, rest, ...values, id, read) > 0;
    },
    remove: ({ id, read }, run) => run(remove, id, read) > 0,
  };
}
