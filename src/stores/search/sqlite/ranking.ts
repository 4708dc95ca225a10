import type { Bindable } from '../../../platform/sqlite-statements.ts';
import { MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { SqliteConnection } from './connection.ts';
import { shippedKnowledge } from '../asking/shipped.ts';
import { understand } from '../asking/understand.ts';
import type { Condition } from '../ranking/condition.ts';
import { FEW, planOf } from '../ranking/plan.ts';
import { numbersOf } from './conditions.ts';
import { nearMisses } from './near-misses.ts';
import { type Selection, selectionOf } from './selection.ts';
import { AS_TYPED, type Tables, TRANSLITERATED } from './tables.ts';

/** What a query's pages are cut from: the best matches, at most one more than can be reached, all of different ids. */
export type Ranking = readonly string[];

const ENOUGH = MAX_TOTAL + 1;

/**
 * The matches in order: names equal to the query, then kind of match by kind of match, each by score and id. So
 * relevance is the kind of match, and popularity decides among equals. Part of a transaction. Synchronous.
 */
export function rank(
  connection: SqliteConnection,
  tables: Tables,
  query: Omit<SearchQuery, 'offset' | 'limit'>,
): Ranking {
  const selection = selectionOf(query);
  const found = new Set<string>();
  const add = (sql: string, ...values: readonly Bindable[]): void => {
    if (found.size >= ENOUGH) return;
    // Those found already may come again, so that many more are asked for.
    const rows = connection.rows(sql, ...values, ...selection.values, ENOUGH + found.size);
    for (const [id] of rows) if (found.size < ENOUGH) found.add(String(id));
  };
  const understood = query.understood ?? understand(query.q, shippedKnowledge());
  const { full, otherwise, allowsSlips } = planOf(understood);
  const named = `e.n IN (SELECT n FROM ${tables.exact} WHERE spelling = ? AND name = ?)`;
  for (const name of understood.exact) add(best(tables, selection, named), AS_TYPED, name);
  add(best(tables, selection, named), TRANSLITERATED, understood.exactSound);
  // A name begins with it, word by word: a space is the least of what follows a word.
  const begun = `e.n IN (SELECT n FROM ${tables.exact} WHERE spelling = ? AND name > ? || ' ' AND name < ? || '!')`;
  const sound = understood.exactSound;
  if (sound !== '' && !understood.isUsername)
    add(best(tables, selection, begun), TRANSLITERATED, sound, sound);
  const follow = (condition: Condition): void => {
    const { sql, values } = numbersOf(condition, tables);
    add(best(tables, selection, `e.n IN (${sql})`), ...values);
  };
  full.forEach(follow);
  if (!isSparse(connection, tables, full)) return [...found];
  otherwise.forEach(follow);
  const sounds = allowsSlips ? understood.exactSound.split(' ').filter((word) => word !== '') : [];
  const near = best(tables, selection, 'e.n IN (SELECT value FROM json_each(?))');
  for (const numbers of nearMisses(connection, tables, sounds)) add(near, JSON.stringify(numbers));
  return [...found];
}

function best({ entries }: Tables, { sql }: Selection, condition: string): string {
  return `SELECT e.id FROM ${entries} e WHERE ${condition}${sql} ORDER BY e.score DESC, e.id LIMIT ?`;
}

/** Judged without filters and exclusions: they select from the matches, and must not bring others in. */
function isSparse(connection: SqliteConnection, tables: Tables, full: readonly Condition[]): boolean {
  const widest = full.at(-1);
  if (widest === undefined) return false;
  const { sql, values } = numbersOf(widest, tables);
  return connection.rows(`SELECT n FROM (${sql}) LIMIT ?`, ...values, FEW).length < FEW;
}
