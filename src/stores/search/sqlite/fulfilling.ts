import type { Bindable } from '../../../platform/sqlite-statements.ts';
import type { Condition } from '../ranking/condition.ts';
import { expressionOf, quoted } from './conditions.ts';
import type { SqliteConnection } from './connection.ts';
import { intersection, type Numbers, numbersOf, union, without } from './numbers.ts';
import { SUBTYPE, type Tables, TRANSLITERATED } from './tables.ts';
import { inTurns } from './turns.ts';

const NONE: Numbers = [];
/** Of more entries it takes longer to look at each than at the whole index: at its fields, or at its words. */
const LOOKED_UP = 20_000;
/** The same of categories, which have an index: their entries are soon read. */
const LOOKED_UP_IN_CATEGORIES = 1000;
const READ = 20;

/**
 * The entries that fulfil conditions of one query, whatever it filters. What several conditions have in common is asked
 * for once: combining lists here costs little, and asking costs by the number of entries. Part of a transaction.
 */
export class Fulfilling {
  readonly #connection: SqliteConnection;
  readonly #tables: Tables;
  /** Of the whole index, by what was asked. */
  readonly #known = new Map<string, Numbers>();

  constructor(connection: SqliteConnection, tables: Tables) {
    this.#connection = connection;
    this.#tables = tables;
  }

  /** Those that fulfil it, of `among` where that is given: what is not a matter of words is then looked up for these alone. */
  of(condition: Condition, among: Numbers | null = null): Numbers {
    if (among?.length === 0) return NONE;
    const found = this.#found(condition, among);
    return among === null ? found : intersection(among, found);
  }

  #found(condition: Condition, among: Numbers | null): Numbers {
    const { words, trigrams } = this.#tables;
    const expression = expressionOf(condition);
    if (expression !== null) return this.#matching(words, expression, among);
    if ('inside' in condition) return this.#matching(trigrams, quoted(condition.inside), among);
    if ('leads' in condition) return this.#led(condition.leads);
    if ('kind' in condition) return this.#having('kind = ?', condition.kind, among, LOOKED_UP);
    if ('subtype' in condition) return this.#ofSubtype(condition.subtype, among);
    if ('categories' in condition) {
      const slugs = JSON.stringify(condition.categories);
      const isOne = 'category IN (SELECT value FROM json_each(?))';
      return this.#having(isOne, slugs, among, LOOKED_UP_IN_CATEGORIES);
    }
    if ('that' in condition) {
      const found = this.of(condition.that, among);
      return without(found, this.of(condition.except, found));
    }
    if ('all' in condition) return this.#all(condition.all, among);
    return 'any' in condition ? this.#any(condition.any, among) : NONE;
  }

  #all(parts: readonly Condition[], among: Numbers | null): Numbers {
    // What only words decide comes first: the others are then looked up for few.
    const ordered = parts.toSorted((one, other) => Number(isLookedUp(one)) - Number(isLookedUp(other)));
    return ordered.reduce<Numbers | null>((left, part) => this.of(part, left), among) ?? NONE;
  }

  #any(parts: readonly Condition[], among: Numbers | null): Numbers {
    const words = parts.filter((part) => expressionOf(part) !== null);
    const others = parts.filter((part) => expressionOf(part) === null);
    return this.#either([...(words.length > 0 ? [{ any: words }] : []), ...others], among);
  }

  #either(parts: readonly Condition[], among: Numbers | null): Numbers {
    return parts.reduce<Numbers>((sofar, part) => union(sofar, this.of(part, among)), NONE);
  }

  #matching(table: string, expression: string, among: Numbers | null): Numbers {
    const condition = `f.${table} MATCH ?`;
    const all = `SELECT f.rowid AS n FROM ${table} f WHERE ${condition} AND ${inTurns('f.rowid')}`;
    if (among === null || among.length > READ || this.#isKnown(all, expression))
      return this.#kept(all, expression);
    const sql = `SELECT f.rowid AS n FROM json_each(?) j CROSS JOIN ${table} f ON f.rowid = j.value WHERE ${condition}`;
    return this.#numbers(sql, JSON.stringify(among), expression);
  }

  /** A name that is one of these, or has it and a space before anything else: nothing in a name comes before a space. */
  #led(leads: readonly string[]): Numbers {
    const sql = `SELECT x.n FROM json_each(?) j CROSS JOIN ${this.#tables.exact} x
      ON x.spelling = '${TRANSLITERATED}' AND x.name >= j.value AND x.name < j.value || '!'`;
    return this.#kept(`SELECT DISTINCT n FROM (${sql})`, JSON.stringify(leads));
  }

  #ofSubtype(subtype: string, among: Numbers | null): Numbers {
    const { exact } = this.#tables;
    const condition = `x.spelling = '${SUBTYPE}' AND x.name = ?`;
    if (among === null || among.length > LOOKED_UP) {
      return this.#kept(`SELECT x.n FROM ${exact} x WHERE ${condition}`, subtype);
    }
    const sql = `SELECT x.n FROM json_each(?) j CROSS JOIN ${exact} x ON x.n = j.value AND ${condition}`;
    return this.#numbers(sql, JSON.stringify(among), subtype);
  }

  #having(condition: string, value: string, among: Numbers | null, most: number): Numbers {
    const { entries } = this.#tables;
    const all = `SELECT e.n FROM ${entries} e WHERE e.${condition} AND ${inTurns('e.n')}`;
    if (among === null || among.length > most) return this.#kept(all, value);
    const sql = `SELECT e.n FROM json_each(?) j CROSS JOIN ${entries} e ON e.n = j.value
      WHERE e.${condition} AND ${inTurns('e.n')}`;
    return this.#numbers(sql, JSON.stringify(among), value);
  }

  #isKnown(sql: string, value: string): boolean {
    return this.#known.has(JSON.stringify([sql, value]));
  }

  #kept(sql: string, value: string): Numbers {
    const key = JSON.stringify([sql, value]);
    const known = this.#known.get(key);
    if (known) return known;
    const found = this.#numbers(sql, value);
    this.#known.set(key, found);
    return found;
  }

  #numbers(sql: string, ...values: readonly Bindable[]): Numbers {
    return numbersOf(this.#connection, sql, ...values);
  }
}

function isLookedUp(condition: Condition): boolean {
  if ('kind' in condition || 'subtype' in condition || 'categories' in condition) return true;
  if ('that' in condition) return isLookedUp(condition.that) || isLookedUp(condition.except);
  if ('all' in condition) return condition.all.some(isLookedUp);
  if ('any' in condition) return condition.any.some(isLookedUp);
  return false;
}
