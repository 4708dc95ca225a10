import { createBoundedMap, entryBytes } from '../../../platform/cache/bounded-map.ts';
import type { Statements, Tables } from './tables.ts';

/** In bytes: eight for each entry that is found. */
const POSTINGS_KEPT = 32 * 1024 * 1024;
/** Letters of names, most of which take a byte: more are forgotten, all at once. Those of 100,000 entries are fewer. */
const LETTERS_KEPT = 16 * 1024 * 1024;
/** Where FTS5 keeps its list of segments: https://www.sqlite.org/fts5.html, section 9. Whatever is added or deleted changes it. */
const SEGMENTS = 10;
/** More spaces than are counted. */
const UNKNOWN = 255;

/**
 * What is known of one index for as long as its words are as they were: most words of a search, and of their synonyms, others have
 * asked for before, and scores change far more often than words. It belongs to one opening of the file, because another file of the
 * same path may have tables that look alike.
 */
function indexCache(statements: Statements, tables: Tables) {
  const postings = createBoundedMap<readonly number[]>(POSTINGS_KEPT);
  const known = new Map<number, string>();
  /** In those names. */
  let letters = 0;
  // By a statement each, as a count beside it would look at all for the greatest one.
  const [row] = statements.rows(
    `SELECT (SELECT count(*) FROM ${tables.entries}), (SELECT ifnull(max(n), 0) FROM ${tables.entries})`,
  );

  const most = Number(row?.[1]);
  const spaces = new Uint8Array(most + 1).fill(UNKNOWN);

  /** The numbers of entries that a query of what does not change with scores gives as `n`. Part of a transaction. */
  function numbers(sql: string, value: string, key = `${value} ${sql}`): readonly number[] {
    const before = postings.get(key);
    if (before !== undefined) return before;
    const found = numbersOf(statements, sql, value);
    postings.set(key, found, entryBytes(key) + 8 * found.length);
    return found;
  }

  return {
    /** How many entries there are, and the greatest number of one. */
    count: Number(row?.[0]),
    most,
    numbers,
    /** The numbers, ascending, of the entries that a full-text table finds. Part of a transaction. */
    matching: (table: 'words' | 'trigrams', expression: string): readonly number[] => {
      const name = tables[table];
      return numbers(`SELECT rowid AS n FROM ${name} WHERE ${name} MATCH ?`, expression, expression);
    },
    /** How many spaces the names of these entries have, by their numbers; perhaps those of others. Part of a transaction. */
    spaces: (wanted: readonly number[]): Uint8Array => {
      const others = wanted.filter((n) => spaces[n] === UNKNOWN);
      if (others.length === 0) return spaces;
      const sql = `SELECT e.n || ',' || e.spaces AS n FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value`;
      const found = numbersOf(statements, sql, JSON.stringify(others));
      for (let at = 0; at < found.length; at += 2) spaces[found[at] ?? 0] = found[at + 1] ?? 0;
      return spaces;
    },
    /** The names of these entries, a line each, by their numbers; perhaps those of others. Part of a transaction. */
    names: (wanted: readonly number[]): ReadonlyMap<number, string> => {
      if (letters > LETTERS_KEPT) known.clear();
      if (known.size === 0) letters = 0;
      const others = wanted.filter((n) => !known.has(n));
      if (others.length === 0) return known;
      const sql = `SELECT e.n, e.names FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value`;
      for (const [n, text] of statements.rows(sql, JSON.stringify(others))) {
        const names = String(text);
        known.set(Number(n), names);
        letters += names.length;
      }
      return known;
    },
  };
}

export type IndexCache = ReturnType<typeof indexCache>;

/** Gives the cache of an index, looked at now; kept for the index that was asked for last. Part of a transaction, and good for it. */
export function createIndexCaches() {
  let last: { readonly name: string; readonly cache: IndexCache } | null = null;
  return (statements: Statements, tables: Tables): IndexCache => {
    const [row] = statements.rows(`SELECT hex(block) FROM ${tables.words}_data WHERE id = ${SEGMENTS}`);
    const name = `${tables.words} ${String(row?.[0])}`;
    if (last?.name !== name) last = { name, cache: indexCache(statements, tables) };
    return last.cache;
  };
}

/** What a query gives as `n`. They come as one text: rows by the ten thousand take as long as finding them. */
export function numbersOf(statements: Statements, sql: string, value: string): readonly number[] {
  const [row] = statements.rows(`SELECT '[' || ifnull(group_concat(n), '') || ']' FROM (${sql})`, value);
  return JSON.parse(String(row?.[0])) as readonly number[];
}
