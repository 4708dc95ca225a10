import type { MatchCondition, WordCondition } from '../ranking/match-condition.ts';
import { matchingWays } from '../ranking/conditions-of-concept.ts';
import { countedParts, leastWeightOf, type PlanList, weightOf } from '../ranking/query-plan.ts';
import { addAll, addNumbers, type Bits, bitsOf, intersection, numbersIn, union, without } from './bits.ts';
import { numbersOf } from './index-cache.ts';
import type { SearchFile } from './search-file.ts';
import { COLUMNS, type KeyField, type Tables } from './tables.ts';

/** A part, and the entries that have it. */
interface WeightedPart {
  readonly weight: number;
  readonly having: Bits;
}

/**
 * The entries of an index that fulfil conditions of one query, whatever it filters. SQLite is asked for each way of having a part
 * once; sets are joined here. Part of a transaction.
 */
export function candidatesOf(file: SearchFile, tables: Tables) {
  const cache = file.cacheOf(tables);
  const none = bitsOf([], cache.most);
  const known = new Map<MatchCondition, Bits>();

  function of(condition: MatchCondition): Bits {
    return known.getOrInsertComputed(condition, find);
  }

  function find(condition: MatchCondition): Bits {
    if ('word' in condition) return bits(withWord(condition));
    if ('inside' in condition) return bits(inside(condition.inside));
    if ('leads' in condition) return led(condition.leads);
    if ('field' in condition) return keyed(condition.field, condition.values);
    if ('that' in condition) return without(of(condition.that), of(condition.except));
    return 'any' in condition ? any(condition.any) : all(condition.all);
  }

  /** The numbers, ascending, of those with these letters, three at least, in the sound of a name, or around its words. */
  function inside(letters: string): readonly number[] {
    return cache.matching('trigrams', quoted(letters));
  }

  /** Those with one of these values in that field. */
  function keyed(field: KeyField, values: readonly string[]): Bits {
    const sql = `SELECT n FROM ${tables.keys} WHERE field = '${field}' AND value IN (SELECT value FROM json_each(?))`;
    return bits(cache.numbers(sql, JSON.stringify(values)));
  }

  function any(conditions: readonly MatchCondition[]): Bits {
    let found: Bits | null = null;
    for (const one of conditions) {
      if ('word' in one) {
        // By far the most of them, and few entries have it: no set is made of each.
        const numbers = withWord(one);
        if (numbers.length > 0) addNumbers((found ??= bitsOf([], cache.most)), numbers);
      } else {
        const having = of(one);
        if (having !== none) addAll((found ??= bitsOf([], cache.most)), having);
      }
    }
    return found ?? none;
  }

  function all([first, ...others]: readonly MatchCondition[]): Bits {
    let found = first === undefined ? none : of(first);
    for (const one of others) {
      // Most terms stand in no name: then nobody asks what else there would have to be.
      if (found === none) return found;
      found = intersection(found, of(one));
    }
    return found;
  }

  /** A name that is one of these, or has it and a space before anything else: nothing in a name comes before a space. */
  function led(leads: readonly string[]): Bits {
    const sql = `SELECT k.n FROM json_each(?) j CROSS JOIN ${tables.keys} k
      ON k.field = 'transliterated' AND k.value >= j.value AND k.value < j.value || '!'`;
    return bits(cache.numbers(sql, JSON.stringify(leads)));
  }

  function withWord({ word, zone, form, begins }: WordCondition): readonly number[] {
    return cache.matching('words', `${COLUMNS[zone][form]} : ${quoted(word)}${begins ? '*' : ''}`);
  }

  /** Those that have parts of this weight at least. */
  function enough([first, ...others]: readonly WeightedPart[], least: number): Bits {
    if (first === undefined) return none;
    const { weight, having } = first;
    const withIt = weight >= least ? having : intersection(having, enough(others, least - weight));
    return weightOf(others) < least ? withIt : union(withIt, enough(others, least));
  }

  function bits(numbers: readonly number[]): Bits {
    return numbers.length === 0 ? none : bitsOf(numbers, cache.most);
  }

  return {
    cache,
    of,
    inside,
    keyed,
    /** Those that match, ascending. */
    matching: (wanted: PlanList): readonly number[] => {
      const parts = countedParts(wanted).map(({ weight, evidence }) => ({
        weight,
        having: any(matchingWays(evidence).map(({ condition }) => condition)),
      }));
      const found = enough(parts, leastWeightOf(wanted));
      return numbersIn(wanted.beside === null ? found : intersection(found, any(wanted.beside)));
    },
    /** All but those of these ids. */
    allBut: (ids: readonly string[]): Bits => {
      const sql = `SELECT n FROM ${tables.entries} WHERE id IN (SELECT value FROM json_each(?))`;
      const numbers = ids.length === 0 ? [] : numbersOf(file, sql, JSON.stringify(ids));
      return bits(numbers).map((word) => ~word);
    },
  };
}

export type Candidates = ReturnType<typeof candidatesOf>;

/** As a string of FTS5 (https://www.sqlite.org/fts5.html, section 3): between quotes nothing typed is an operator. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
