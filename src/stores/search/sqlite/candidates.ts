import type { Condition } from '../ranking/condition.ts';
import { matchingWays } from '../ranking/match-evidence.ts';
import type { Wanted } from '../ranking/plan.ts';
import { countedParts, leastWeightOf } from '../ranking/weights.ts';
import { type Bits, bitsOf, intersection, numbersIn, union, without } from './bits.ts';
import { expressionOf, quoted } from './conditions.ts';
import type { SearchFile } from './search-file.ts';
import type { KeyField, Tables } from './tables.ts';

/**
 * The entries of an index that fulfil conditions of one query, whatever it filters. SQLite is asked for each way of having a part
 * once; sets are joined here. Part of a transaction.
 */
export class Candidates {
  readonly #file: SearchFile;
  readonly #tables: Tables;
  /** The greatest number of an entry. */
  readonly #most: number;
  /** By what was asked. */
  readonly #known = new Map<string, Bits>();

  constructor(file: SearchFile, tables: Tables) {
    this.#file = file;
    this.#tables = tables;
    const [row] = file.rows(`SELECT max(n) FROM ${tables.entries}`);
    this.#most = Number(row?.[0] ?? 0);
  }

  /** Those that have enough parts of it, ascending. */
  having(wanted: Wanted): readonly number[] {
    const weights = new Float64Array(this.#most + 1);
    let some = bitsOf([], this.#most);
    for (const { weight, evidence } of countedParts(wanted)) {
      const having = this.#fulfillingAny(matchingWays(evidence).map(({ condition }) => condition));
      for (const n of numbersIn(having)) weights[n] = (weights[n] ?? 0) + weight;
      some = union(some, having);
    }
    const least = leastWeightOf(wanted);
    return numbersIn(some).filter((n) => (weights[n] ?? 0) >= least);
  }

  of(condition: Condition): Bits {
    const { words, trigrams } = this.#tables;
    const expression = expressionOf(condition);
    if (expression !== null) return this.#matching(words, expression);
    if ('inside' in condition) return this.#matching(trigrams, quoted(condition.inside));
    if ('leads' in condition) return this.#led(condition.leads);
    if ('field' in condition) return this.keyed(condition.field, condition.values);
    if ('that' in condition) return without(this.of(condition.that), this.of(condition.except));
    if ('any' in condition) return this.#fulfillingAny(condition.any);
    const [first, ...others] = 'all' in condition ? condition.all.map((one) => this.of(one)) : [];
    return others.reduce(intersection, first ?? this.allBut([]));
  }

  /** Those with one of these values in that field. */
  keyed(field: KeyField, values: readonly string[]): Bits {
    const sql = `SELECT DISTINCT n FROM ${this.#tables.keys} WHERE field = '${field}' AND value IN (SELECT value FROM json_each(?))`;
    return this.#asked(sql, JSON.stringify(values));
  }

  /** All but those of these ids. */
  allBut(ids: readonly string[]): Bits {
    const sql = `SELECT n FROM ${this.#tables.entries} WHERE id IN (SELECT value FROM json_each(?))`;
    return this.#asked(sql, JSON.stringify(ids)).map((word) => ~word);
  }

  #fulfillingAny(conditions: readonly Condition[]): Bits {
    return conditions.map((one) => this.of(one)).reduce(union, bitsOf([], this.#most));
  }

  #matching(table: string, expression: string): Bits {
    return this.#asked(`SELECT rowid AS n FROM ${table} WHERE ${table} MATCH ?`, expression);
  }

  /** A name that is one of these, or has it and a space before anything else: nothing in a name comes before a space. */
  #led(leads: readonly string[]): Bits {
    const sql = `SELECT DISTINCT k.n FROM json_each(?) j CROSS JOIN ${this.#tables.keys} k
      ON k.field = 'transliterated' AND k.value >= j.value AND k.value < j.value || '!'`;
    return this.#asked(sql, JSON.stringify(leads));
  }

  #asked(sql: string, value: string): Bits {
    const key = `${sql} ${value}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = bitsOf(numbersOf(this.#file, sql, value), this.#most);
    this.#known.set(key, found);
    return found;
  }
}

/** What a query gives as `n`. They come as one text: rows by the ten thousand take as long as finding them. */
export function numbersOf(file: SearchFile, sql: string, value: string): readonly number[] {
  const [row] = file.rows(`SELECT json_group_array(n) FROM (${sql})`, value);
  return JSON.parse(String(row?.[0])) as readonly number[];
}
