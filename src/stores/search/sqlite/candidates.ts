import type { MatchCondition, WordCondition } from '../ranking/match-condition.ts';
import { matchingWays } from '../ranking/match-evidence.ts';
import { countedParts, leastWeightOf, type PlanList } from '../ranking/query-plan.ts';
import { addAll, addNumbers, type Bits, bitsOf, has, intersection, numbersIn, without } from './bits.ts';
import { type IndexCache, numbersOf } from './index-cache.ts';
import type { SearchFile } from './search-file.ts';
import { COLUMNS, type KeyField, type Tables } from './tables.ts';

/**
 * The entries of an index that fulfil conditions of one query, whatever it filters. SQLite is asked for each way of having a part
 * once; sets are joined here. Part of a transaction.
 */
export class Candidates {
  readonly cache: IndexCache;
  readonly #file: SearchFile;
  readonly #tables: Tables;
  readonly #none: Bits;
  readonly #known = new Map<MatchCondition, Bits>();

  constructor(file: SearchFile, tables: Tables) {
    this.#file = file;
    this.#tables = tables;
    this.cache = file.cacheOf(tables);
    this.#none = bitsOf([], this.cache.most);
  }

  /** Those that have enough parts of it, ascending. */
  having(wanted: PlanList): readonly number[] {
    const parts = countedParts(wanted).map(({ weight, evidence }) => ({
      weight,
      having: this.#any(matchingWays(evidence).map(({ condition }) => condition)),
    }));
    const least = leastWeightOf(wanted);
    const some = bitsOf([], this.cache.most);
    for (const { having } of parts) addAll(some, having);
    return numbersIn(some).filter((n) => {
      let sum = 0;
      for (const { weight, having } of parts) if (has(having, n)) sum += weight;
      return sum >= least;
    });
  }

  of(condition: MatchCondition): Bits {
    const known = this.#known.get(condition);
    if (known) return known;
    const found = this.#find(condition);
    this.#known.set(condition, found);
    return found;
  }

  #find(condition: MatchCondition): Bits {
    if ('word' in condition) return this.#bits(this.#withWord(condition));
    if ('inside' in condition) return this.#bits(this.inside(condition.inside));
    if ('leads' in condition) return this.#led(condition.leads);
    if ('field' in condition) return this.keyed(condition.field, condition.values);
    if ('that' in condition) return without(this.of(condition.that), this.of(condition.except));
    if ('any' in condition) return this.#any(condition.any);
    return this.#all(condition.all);
  }

  /** The numbers, ascending, of those with these letters, three at least, in the sound of a name, or around its words. */
  inside(letters: string): readonly number[] {
    return this.cache.matching('trigrams', quoted(letters));
  }

  /** Those with one of these values in that field. */
  keyed(field: KeyField, values: readonly string[]): Bits {
    const sql = `SELECT n FROM ${this.#tables.keys} WHERE field = '${field}' AND value IN (SELECT value FROM json_each(?))`;
    return this.#bits(this.cache.numbers(sql, JSON.stringify(values)));
  }

  /** All but those of these ids. */
  allBut(ids: readonly string[]): Bits {
    const sql = `SELECT n FROM ${this.#tables.entries} WHERE id IN (SELECT value FROM json_each(?))`;
    const numbers = ids.length === 0 ? [] : numbersOf(this.#file, sql, JSON.stringify(ids));
    return this.#bits(numbers).map((word) => ~word);
  }

  #any(conditions: readonly MatchCondition[]): Bits {
    let found: Bits | null = null;
    for (const one of conditions) {
      if ('word' in one) {
        // By far the most of them, and few entries have it: no set is made of each.
        const numbers = this.#withWord(one);
        if (numbers.length > 0) addNumbers((found ??= bitsOf([], this.cache.most)), numbers);
      } else {
        const bits = this.of(one);
        if (bits !== this.#none) addAll((found ??= bitsOf([], this.cache.most)), bits);
      }
    }
    return found ?? this.#none;
  }

  #all([first, ...others]: readonly MatchCondition[]): Bits {
    let found = first === undefined ? this.#none : this.of(first);
    for (const one of others) {
      // Most terms stand in no name: then nobody asks what else there would have to be.
      if (found === this.#none) return found;
      found = intersection(found, this.of(one));
    }
    return found;
  }

  /** A name that is one of these, or has it and a space before anything else: nothing in a name comes before a space. */
  #led(leads: readonly string[]): Bits {
    const sql = `SELECT k.n FROM json_each(?) j CROSS JOIN ${this.#tables.keys} k
      ON k.field = 'transliterated' AND k.value >= j.value AND k.value < j.value || '!'`;
    return this.#bits(this.cache.numbers(sql, JSON.stringify(leads)));
  }

  #withWord({ word, zone, form, begins }: WordCondition): readonly number[] {
    return this.cache.matching('words', `${COLUMNS[zone][form]} : ${quoted(word)}${begins ? '*' : ''}`);
  }

  #bits(numbers: readonly number[]): Bits {
    return numbers.length === 0 ? this.#none : bitsOf(numbers, this.cache.most);
  }
}

/** As a string of FTS5 (https://www.sqlite.org/fts5.html, section 3): between quotes nothing typed is an operator. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
