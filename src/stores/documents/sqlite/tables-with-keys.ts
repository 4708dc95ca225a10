import type { Bindable, Row } from '../../../platform/sqlite-statements.ts';
import { besideOf, keyColumn, tableOf } from './expressions.ts';
import { SCANNED, type Tables } from './tables.ts';

/**
 * Bodies in one table; ids, versions and the keys beside the bodies in another one, whose rows are small. There is a row for a
 * document in both, or in neither. A key that is written alone leaves the body where it is, and what its indexes are made of.
 */
export function tablesWithKeys(collection: string, keys: readonly string[]): Tables {
  const [bodies, beside] = [tableOf(collection), besideOf(collection)];
  const columns = keys.map(keyColumn);
  // The small rows come first: in this order SQLite finds and sorts by them alone.
  const select = `SELECT b.id, version, body, ${columns.join(', ')} FROM ${beside} AS b CROSS JOIN ${bodies} AS d ON d.place = b.place`;
  const isAbsent = `NOT EXISTS (SELECT 1 FROM ${beside} WHERE id = ?)`;
  const insertBody = `INSERT INTO ${bodies} (id, body) SELECT ?, ? WHERE ${isAbsent}`;
  const insertBeside =
    `INSERT INTO ${beside} (id, version, place, ${columns.join(', ')}) ` +
    `VALUES (?, ?, last_insert_rowid(), ${columns.map(() => '?').join(', ')})`;
  const updateOf = (some: readonly string[]): string =>
    `UPDATE ${beside} SET version = ?, ${some.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND version = ?`;
  const update = updateOf(columns);
  const only = new Map(keys.map((key) => [key, updateOf([keyColumn(key)])]));
  const place = `SELECT place FROM ${beside} WHERE id = ?`;
  const updateBody = `UPDATE ${bodies} SET body = ? WHERE place = (${place})`;
  const removeBody = `DELETE FROM ${bodies} WHERE place = (${place} AND version = ?)`;
  const remove = `DELETE FROM ${beside} WHERE id = ? AND version = ?`;

  return {
    byIds: `${select} WHERE b.id IN (SELECT value FROM json_each(?))`,
    byId: `${select} WHERE b.id = ?`,
    behind: `${select} WHERE b.id > ? ORDER BY b.id LIMIT ${SCANNED}`,
    versions: `SELECT id, version FROM ${beside} WHERE id IN (SELECT value FROM json_each(?))`,
    version: `SELECT version FROM ${beside} WHERE id = ?`,
    storedOf: ([id, version, body, ...values]: Row) => ({
      id: String(id),
      version: String(version),
      body: together(String(body), values),
    }),
    write: ({ id, read, version, body, only: key }, run) => {
      const alone = read === null || key === undefined ? undefined : only.get(key);
      if (read !== null && alone !== undefined && key !== undefined)
        return run(alone, version, textOf((body as Values)[key]), id, read) > 0;
      const { text, values } = apart(body as Values);
      if (read !== null)
        return run(update, version, ...values, id, read) > 0 && run(updateBody, text, id) > 0;
      return run(insertBody, id, text, id) > 0 && run(insertBeside, id, version, ...values) > 0;
    },
    remove: ({ id, read }, run) => run(removeBody, id, read) > 0 && run(remove, id, read) > 0,
  };

  function apart(body: Values): { readonly text: string; readonly values: readonly Bindable[] } {
    const rest: Record<string, unknown> = { ...body };
    // It keeps its place among the others.
    for (const key of keys) if (Object.hasOwn(rest, key)) rest[key] = null;
    return { text: JSON.stringify(rest), values: keys.map((key) => textOf(body[key])) };
  }

  function together(text: string, values: Row): unknown {
    const body = JSON.parse(text) as Record<string, unknown>;
    for (const [index, key] of keys.entries()) {
      const value = values[index];
      if (typeof value === 'string') body[key] = JSON.parse(value);
      else if (Object.hasOwn(body, key)) delete body[key];
    }
    return body;
  }
}

type Values = Readonly<Record<string, unknown>>;

/** Null where JSON has no word for it: then the body does not have the key. */
function textOf(value: unknown): string | null {
  const text: string | undefined = JSON.stringify(value);
  return text ?? null;
}
