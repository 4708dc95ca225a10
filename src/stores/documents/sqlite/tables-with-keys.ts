import type { Row } from '../../../platform/sqlite-statements.ts';
import { placeholders, putTogether, settings, takeApart, textOf, type Values } from './apart.ts';
import { type Apart, besideOf, keyColumn, tableOf, textColumn } from './expressions.ts';
import { createParts } from './parts.ts';
import { type Reading, type ReadingSql, SCANNED, type Tables } from './tables.ts';

/**
 * Bodies in one table, in which native keys have columns of their own; ids, versions and the keys beside the bodies in another one, whose
 * rows are small. There is a row for a document in both, or in neither. A key that is written alone leaves the body where it
 * is, and what its indexes are made of.
 */
export function tablesWithKeys(collection: string, { native, beside: besides }: Apart): Tables {
  const [bodies, beside] = [tableOf(collection), besideOf(collection)];
  const keys = [...native, ...besides];
  const bodyColumns = [textColumn(native), ...native.map(keyColumn)];
  const besideColumns = ['version', ...besides.map(keyColumn)];
  // The small rows come first: in this order SQLite finds and sorts by them alone.
  const select = (what: readonly string[]): string =>
    `SELECT ${['b.id', 'version', ...what].join(', ')} FROM ${beside} AS b CROSS JOIN ${bodies} AS d ON d.place = b.place`;
  const ofIds = 'WHERE b.id IN (SELECT value FROM json_each(?))';
  const statements = (what: readonly string[]): ReadingSql => ({
    byIds: `${select(what)} ${ofIds}`,
    byId: `${select(what)} WHERE b.id = ?`,
    behind: `${select(what)} WHERE b.id > ? ORDER BY b.id LIMIT ${SCANNED}`,
  });
  const all = [textColumn(native), ...keys.map(keyColumn)];
  const whole: Reading = {
    ...statements(all),
    storedOf: ([id, version, text, ...values]: Row) => ({
      id: String(id),
      version: String(version),
      body: putTogether(String(text), keys, values),
    }),
  };
  const isAbsent = `NOT EXISTS (SELECT 1 FROM ${beside} WHERE id = ?)`;
  const insertBody = `INSERT INTO ${bodies} (id, ${bodyColumns.join(', ')}) SELECT ?, ${placeholders(bodyColumns)} WHERE ${isAbsent}`;
  const insertBeside = `INSERT INTO ${beside} (id, place, ${besideColumns.join(', ')}) VALUES (?, last_insert_rowid(), ${placeholders(besideColumns)})`;
  const updateOf = (columns: readonly string[]): string =>
    `UPDATE ${beside} SET ${settings(columns)} WHERE id = ? AND version = ?`;
  const update = updateOf(besideColumns);
  const alone = new Map(besides.map((key) => [key, updateOf(['version', keyColumn(key)])]));
  const place = `SELECT place FROM ${beside} WHERE id = ?`;
  const updateBody = `UPDATE ${bodies} SET ${settings(bodyColumns)} WHERE place = (${place})`;
  const removeBody = `DELETE FROM ${bodies} WHERE place = (${place} AND version = ?)`;
  const remove = `DELETE FROM ${beside} WHERE id = ? AND version = ?`;

  return {
    whole,
    part: createParts(whole, keys, statements),
    versions: `SELECT id, version FROM ${beside} WHERE id IN (SELECT value FROM json_each(?))`,
    version: `SELECT version FROM ${beside} WHERE id = ?`,
    alone,
    write: ({ id, read, version, body, only: key }, run) => {
      const ofKey = read === null || key === undefined ? undefined : alone.get(key);
      if (read !== null && ofKey !== undefined && key !== undefined)
        return run(ofKey, version, textOf((body as Values)[key]), id, read) > 0;
      const { rest, values } = takeApart(body as Values, keys);
      const [ofBody, ofBeside] = [values.slice(0, native.length), values.slice(native.length)];
      if (read !== null)
        return run(update, version, ...ofBeside, id, read) > 0 && run(updateBody, rest, ...ofBody, id) > 0;
      return run(insertBody, id, rest, ...ofBody, id) > 0 && run(insertBeside, id, version, ...ofBeside) > 0;
    },
    remove: ({ id, read }, run) => run(removeBody, id, read) > 0 && run(remove, id, read) > 0,
  };
}
