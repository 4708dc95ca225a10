import type { Bindable } from '../../../platform/sqlite-statements.ts';
import { MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { SqliteConnection } from './connection.ts';
import { shippedKnowledge } from '../asking/shipped.ts';
import { understand } from '../asking/understand.ts';
import type { Condition } from '../ranking/condition.ts';
import { FEW, planOf } from '../ranking/plan.ts';
import { Fulfilling } from './fulfilling.ts';
import { nearMisses } from './near-misses.ts';
import { type Numbers, without } from './numbers.ts';
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
  const isEnough = (): boolean => found.size >= ENOUGH;
  const add = (sql: string, ...values: readonly Bindable[]): void => {
    if (isEnough()) return;
    // Some of them may be found already: so many are enough all the same.
    const rows = connection.rows(sql, ...values, ...selection.values, ENOUGH);
    for (const [id] of rows) if (!isEnough()) found.add(String(id));
  };
  const listed = `SELECT e.id FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value WHERE 1`;
  const addListed = (numbers: Numbers): void => {
    if (numbers.length > 0) add(inOrder(listed, selection), JSON.stringify(numbers));
  };
  const understood = query.understood ?? understand(query.q, shippedKnowledge());
  const { full, otherwise, allowsSlips } = planOf(understood);
  const named = best(tables, selection, 'spelling = ? AND name = ?');
  for (const name of understood.exact) add(named, AS_TYPED, name);
  add(named, TRANSLITERATED, understood.exactSound);
  // A name begins with it, word by word: a space is the least of what follows a word.
  const begun = best(tables, selection, "spelling = ? AND name > ? || ' ' AND name < ? || '!'");
  const sound = understood.exactSound;
  if (sound !== '' && !understood.isUsername) add(begun, TRANSLITERATED, sound, sound);

  const fulfilling = new Fulfilling(connection, tables);
  let last: Numbers = [];
  const follow = (condition: Condition, among: Numbers | null = null): void => {
    if (isEnough()) return;
    const numbers = fulfilling.of(condition, among);
    addListed(without(numbers, last));
    last = numbers;
  };
  // Where several parts have to meet, most kinds of match have no entries: the widest one tells which are left to look at.
  const widest = full.at(-1);
  const among = widest !== undefined && understood.asTyped.concepts.length > 1 ? fulfilling.of(widest) : null;
  for (const condition of full) follow(condition, among);
  // Judged without filters and exclusions: they select from the matches, and must not bring others in.
  if (isEnough() || widest === undefined || last.length >= FEW) return [...found];
  for (const condition of otherwise) follow(condition);
  const sounds = allowsSlips ? understood.exactSound.split(' ').filter((word) => word !== '') : [];
  for (const numbers of nearMisses(connection, tables, sounds)) addListed(numbers);
  return [...found];
}

function best({ entries, exact }: Tables, selection: Selection, condition: string): string {
  const sql = `SELECT e.id FROM ${entries} e WHERE e.n IN (SELECT n FROM ${exact} WHERE ${condition})`;
  return inOrder(sql, selection);
}

function inOrder(sql: string, selection: Selection): string {
  return `${sql}${selection.sql} ORDER BY e.score DESC, e.id LIMIT ?`;
}
