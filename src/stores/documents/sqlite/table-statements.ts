import type { Bindable, Row } from '../../../platform/sqlite/connection.ts';
import { withKeys } from '../pick-keys.ts';
import type { Removal, Stored, Write } from '../port.ts';
import { keyColumn, tableOf } from './columns.ts';

/** What reads and changes documents of a collection: statements over its table. Changes are part of a transaction. */
export interface CollectionTable {
  /** Reads documents, with these keys of their bodies alone where they are given. */
  readonly reading: (keys: readonly string[] | undefined) => RowQueries;
  /** Ids and versions, of ids in a list of JSON. */
  readonly versions: string;
  /** Whether it was written: the document was absent, or had the version that was read. */
  write(write: Write<unknown>, run: Run): boolean;
  /** Whether it was there, of this version. */
  remove(removal: Removal, run: Run): boolean;
}

/** What selects the rows that documents are made of. */
interface RowQueries {
  /** Of ids in a list of JSON. */
  readonly byIds: string;
  /** By id, behind one. */
  readonly behind: string;
  readonly storedOf: (row: Row) => Stored<unknown>;
}

/** Runs a statement, and tells how many rows it changed. */
export type Run = (sql: string, ...values: readonly Bindable[]) => number;

/** What one read of a scan takes. */
export const SCANNED = 200;

/** `keys` are those of bodies that have columns of their own; the rest of a body is one text. */
export function collectionTable(collection: string, keys: readonly string[]): CollectionTable {
  const table = tableOf(collection);
  const columnsOf = (some: readonly string[]): readonly string[] => [
    'version',
    ...some.map(keyColumn),
    'rest',
  ];
  const named = columnsOf(keys);
  const insert = `INSERT INTO ${table} (id, ${named.join(', ')}) VALUES (?, ${named.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`;
  const updateOf = (columns: readonly string[]): string =>
    `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND version = ?`;
  const whole = readingOf(table, keys, true);
  // Callers ask for few lists of keys, so what is made for them stays.
  const parts = new Map<string, RowQueries>();

  return {
    reading(some) {
      return some ? parts.getOrInsertComputed(JSON.stringify(some), () => partOf(some)) : whole;
    },
    versions: `SELECT id, version FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    write({ id, read, version, body, only, unchanged = [] }, run) {
      const byKey = body as Readonly<Record<string, unknown>>;
      if (only !== undefined && read !== null)
        return run(updateOf(['version', keyColumn(only)]), version, textOf(byKey[only]), id, read) > 0;
      // Copied, not deleted from: JSON.stringify takes longer for an object that has lost keys.
      const rest = Object.fromEntries(Object.entries(byKey).filter(([key]) => !keys.includes(key)));
      const written = read === null ? keys : keys.filter((key) => !unchanged.includes(key));
      const all = [version, ...written.map((key) => textOf(byKey[key])), JSON.stringify(rest)];
      if (read === null) return run(insert, id, ...all) > 0;
      // An index over a key that is written again is written, too, whether its value is another one or not.
      return run(updateOf(columnsOf(written)), ...all, id, read) > 0;
    },
    remove: ({ id, read }, run) => run(`DELETE FROM ${table} WHERE id = ? AND version = ?`, id, read) > 0,
  };

  function partOf(some: readonly string[]): RowQueries {
    if (some.every((key) => keys.includes(key))) return readingOf(table, some, false);
    return { ...whole, storedOf: (row) => withKeys(whole.storedOf(row), some) };
  }
}

function readingOf(table: string, keys: readonly string[], withRest: boolean): RowQueries {
  const columns = ['id', 'version', ...keys.map(keyColumn), ...(withRest ? ['rest'] : [])];
  const select = `SELECT ${columns.join(', ')} FROM ${table}`;
  return {
    byIds: `${select} WHERE id IN (SELECT value FROM json_each(?))`,
    behind: `${select} WHERE id > ? ORDER BY id LIMIT ${SCANNED}`,
    storedOf([id, version, ...values]) {
      const body = (withRest ? JSON.parse(String(values.at(-1))) : {}) as Record<string, unknown>;
      for (const [at, key] of keys.entries()) {
        const text = values[at];
        if (typeof text === 'string') body[key] = JSON.parse(text);
      }
      return { id: String(id), version: String(version), body };
    },
  };
}

/** null where JSON has no word for it: then the body does not have it. */
function textOf(value: unknown): string | null {
  const text: string | undefined = JSON.stringify(value);
  return text ?? null;
}
