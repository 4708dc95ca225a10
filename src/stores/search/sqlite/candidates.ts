import type { Condition, WordCondition } from '../ranking/condition.ts';
import { matchingWays } from '../ranking/match-evidence.ts';
import { countedParts, leastWeightOf, type PlanList } from '../ranking/plan.ts';
import { type Bits, bitsOf, has, intersection, numbersIn, union, without } from './bits.ts';
import { numbersOf } from './postings.ts';
import type { SearchFile } from './search-file.ts';
import { COLUMNS, type KeyField, type Tables } from './tables.ts';

/**
 * The entries of an index that fulfil conditions of one query, whatever it filters. SQLite is asked for each way of having a part
 * once; sets are joined here. Part of a transaction.
 */
export class Candidates {
  readonly file: SearchFile;
  readonly tables: Tables;
  /** The greatest number of an entry. */
  readonly #most: number;
  readonly #none: Bits;
  readonly #words: (expression: string) => readonly number[];
  readonly #trigrams: (expression: string) => readonly number[];
  /** By condition, by what SQLite was asked, and by what it found. */
  readonly #known = new Map<Condition | string | readonly number[], Bits>();

  constructor(file: SearchFile, tables: Tables) {
    this.file = file;
    this.tables = tables;
    const [row] = file.rows(`SELECT max(n) FROM ${tables.entries}`);
    this.#most = Number(row?.[0] ?? 0);
    this.#none = bitsOf([], this.#most);
    this.#words = file.postings.of(file, tables.words);
    this.#trigrams = file.postings.of(file, tables.trigrams);
  }

  /** Those that have enough parts of it, ascending. */
  having(wanted: PlanList): readonly number[] {
    const parts = countedParts(wanted).map(({ weight, evidence }) => ({
      weight,
      having: this.#any(matchingWays(evidence).map(({ condition }) => condition)),
    }));
    const least = leastWeightOf(wanted);
    const some = union(
      parts.map(({ having }) => having),
      this.#most,
    );
    return numbersIn(some).filter((n) => {
      let sum = 0;
      for (const { weight, having } of parts) if (has(having, n)) sum += weight;
      return sum >= least;
    });
  }

  of(condition: Condition): Bits {
    return this.#once(condition, () => {
      if ('word' in condition) return this.#bits(this.#words(expressionOf(condition)));
      if ('inside' in condition) return this.#bits(this.inside(condition.inside));
      if ('leads' in condition) return this.#led(condition.leads);
      if ('field' in condition) return this.keyed(condition.field, condition.values);
      if ('that' in condition) return without(this.of(condition.that), this.of(condition.except));
      if ('any' in condition) return this.#any(condition.any);
      return condition.all.map((one) => this.of(one)).reduce(intersection);
    });
  }

  /** The numbers, ascending, of those with these letters, three at least, in the sound of a name, or around its words. */
  inside(letters: string): readonly number[] {
    return this.#trigrams(quoted(letters));
  }

  /** Those with one of these values in that field. */
  keyed(field: KeyField, values: readonly string[]): Bits {
    const sql = `SELECT n FROM ${this.tables.keys} WHERE field = '${field}' AND value IN (SELECT value FROM json_each(?))`;
    return this.#asked(sql, JSON.stringify(values));
  }

  /** All but those of these ids. */
  allBut(ids: readonly string[]): Bits {
    const sql = `SELECT n FROM ${this.tables.entries} WHERE id IN (SELECT value FROM json_each(?))`;
    return this.#asked(sql, JSON.stringify(ids)).map((word) => ~word);
  }

  #any(conditions: readonly Condition[]): Bits {
    const sets = new Set(conditions.map((one) => this.of(one)));
    sets.delete(this.#none);
    return union([...sets], this.#most);
  }

  /** A name that is one of these, or has it and a space before anything else: nothing in a name comes before a space. */
  #led(leads: readonly string[]): Bits {
    const sql = `SELECT k.n FROM json_each(?) j CROSS JOIN ${this.tables.keys} k
      ON k.field = 'transliterated' AND k.value >= j.value AND k.value < j.value || '!'`;
    return this.#asked(sql, JSON.stringify(leads));
  }

  #asked(sql: string, value: string): Bits {
    return this.#once(`${sql} ${value}`, () => this.#bits(numbersOf(this.file, sql, value)));
  }

  #bits(numbers: readonly number[]): Bits {
    return numbers.length === 0 ? this.#none : this.#once(numbers, () => bitsOf(numbers, this.#most));
  }

  #once(asked: Condition | string | readonly number[], find: () => Bits): Bits {
    const known = this.#known.get(asked);
    if (known) return known;
    const found = find();
    this.#known.set(asked, found);
    return found;
  }
}

/** A word as an expression of FTS5 (https://www.sqlite.org/fts5.html, section 3): between quotes nothing typed is an operator. */
function expressionOf({ word, zone, form, begins }: WordCondition): string {
  return `${COLUMNS[zone][form]} : ${quoted(word)}${begins ? '*' : ''}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
