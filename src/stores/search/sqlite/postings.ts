import { createBoundedMap, entryBytes } from '../../../platform/cache/bounded-map.ts';
import type { SearchFile } from './search-file.ts';

/** In bytes: eight for each entry that is found. */
const KEPT = 32 * 1024 * 1024;
/** Where FTS5 keeps its list of segments: https://www.sqlite.org/fts5.html, section 9. Whatever is added or deleted changes it. */
const SEGMENTS = 10;

/**
 * The entries that full-text tables find, kept for as long as a table is as it was: most words of a search, and of their synonyms,
 * others have asked for before, and scores change far more often than words. It belongs to one opening of the file, because
 * another file of the same path may have tables that look alike.
 */
export class Postings {
  readonly #kept = createBoundedMap<readonly number[]>(KEPT);
  /** By table: how it looked last, and a number for that. */
  readonly #states = new Map<string, { readonly segments: string; readonly number: number }>();
  #lastNumber = 0;

  /** What finds the numbers of entries, ascending. Part of a transaction, and good for as long as that. */
  of(file: SearchFile, table: string): (expression: string) => readonly number[] {
    const state = this.#stateOf(file, table);
    const sql = `SELECT rowid AS n FROM ${table} WHERE ${table} MATCH ?`;
    return (expression) => {
      const key = `${state} ${expression}`;
      const known = this.#kept.get(key);
      if (known !== undefined) return known;
      const found = numbersOf(file, sql, expression);
      this.#kept.set(key, found, entryBytes(key) + 8 * found.length);
      return found;
    };
  }

  #stateOf(file: SearchFile, table: string): number {
    const [row] = file.rows(`SELECT hex(block) FROM ${table}_data WHERE id = ${SEGMENTS}`);
    const segments = String(row?.[0]);
    const known = this.#states.get(table);
    if (known?.segments === segments) return known.number;
    this.#lastNumber += 1;
    this.#states.set(table, { segments, number: this.#lastNumber });
    return this.#lastNumber;
  }
}

/** What a query gives as `n`. They come as one text: rows by the ten thousand take as long as finding them. */
export function numbersOf(file: SearchFile, sql: string, value: string): readonly number[] {
  const [row] = file.rows(`SELECT '[' || ifnull(group_concat(n), '') || ']' FROM (${sql})`, value);
  return JSON.parse(String(row?.[0])) as readonly number[];
}
