import { giveWay } from '../../../platform/give-way.ts';
import type { Bindable } from '../../../platform/sqlite-statements.ts';
import { MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { SqliteConnection } from './connection.ts';
import { shippedKnowledge } from '../asking/shipped.ts';
import { understand } from '../asking/understand.ts';
import { FEW, planOf, type Wanted } from '../ranking/plan.ts';
import { MOST_SPACES } from '../ranking/spaces.ts';
import { Fulfilling } from './fulfilling.ts';
import { nearMisses } from './near-misses.ts';
import type { Numbers } from './numbers.ts';
import { scored } from './scoring.ts';
import { type Selection, selectionOf } from './selection.ts';
import { AS_TYPED, type Tables, TRANSLITERATED } from './tables.ts';
import { inTurns } from './turns.ts';

/** What a query's pages are cut from: the best matches, at most one more than can be reached, all of different ids. */
export type Ranking = readonly string[];

const ENOUGH = MAX_TOTAL + 1;
const BY_SCORE = 'e.score DESC, e.id';
/** As `spacesIn` counts. */
const SPACES = `MIN(${MOST_SPACES}, LENGTH(e.names) - LENGTH(REPLACE(e.names, ' ', '')))`;

/**
 * The matches in order: names equal to the query, then list by list of its plan, each by relevance, score and id. Part of
 * a transaction. Synchronous.
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
    giveWay();
    for (const [id] of rows) if (!isEnough()) found.add(String(id));
    giveWay();
  };
  const listed = `SELECT e.id FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value WHERE ${inTurns('e.n')}`;
  const addListed = (numbers: Numbers, order: string): void => {
    if (numbers.length > 0) add(inOrder(listed, selection, order), JSON.stringify(numbers));
  };
  const understood = query.understood ?? understand(query.q, shippedKnowledge());
  const { exact, exactSound, full, otherwise, slips } = planOf(understood);
  const named = best(tables, selection, 'spelling = ? AND name = ?');
  for (const name of exact) add(named, AS_TYPED, name);
  add(named, TRANSLITERATED, exactSound);

  const fulfilling = new Fulfilling(connection, tables);
  /** How many there are in the whole index, up to `FEW` for sure. */
  const follow = (wanted: Wanted): number => {
    let count = 0;
    for (const equals of scored(fulfilling, wanted)) {
      count += equals.length;
      addListed(equals, `${SPACES}, ${BY_SCORE}`);
      if (isEnough()) break;
    }
    return count;
  };
  // Judged without filters and exclusions: they select from the matches, and must not bring others in.
  if (full === null || follow(full) >= FEW || isEnough()) return [...found];
  for (const wanted of otherwise) follow(wanted);
  for (const numbers of nearMisses(connection, tables, slips)) addListed(numbers, BY_SCORE);
  return [...found];
}

function best({ entries, exact }: Tables, selection: Selection, condition: string): string {
  const sql = `SELECT e.id FROM ${entries} e WHERE e.n IN (SELECT n FROM ${exact} WHERE ${condition})`;
  return inOrder(sql, selection, BY_SCORE);
}

function inOrder(sql: string, selection: Selection, order: string): string {
  return `${sql}${selection.sql} ORDER BY ${order} LIMIT ?`;
}
