import { readable } from '../query/emoji-index-words.ts';
import { shippedKnowledge } from '../query/knowledge.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Concept, Reading, ParsedQuery } from '../query/parsed-query.ts';
import type { SearchQuery } from '../port.ts';
import { any, type MatchCondition } from './match-condition.ts';
import {
  type Evidence,
  evidenceOf,
  matchingWays,
  namedEvidenceOf,
  tellingConditions,
} from './conditions-of-concept.ts';

/**
 * A query as what entries are to have. Lists follow one another; within one the entries that have most of it come first,
 * then those of the better score, then by id. Both engines follow the same plan. Pure.
 */
export interface Plan {
  /** Names that are meant exactly, as typed. */
  readonly exact: readonly string[];
  /** The same by their sound; empty where there is none. */
  readonly exactSound: string;
  /** All parts are matched. None where the query has no words. */
  readonly full: PlanList | null;
  /** Followed where fewer than `FEW` entries of the whole index match in full. */
  readonly otherwise: readonly PlanList[];
  /** The words, by their sound, of which names with slips of the finger follow as well. Empty where they do not. */
  readonly slips: readonly string[];
}

/** What an entry of a list is to have. */
export interface PlanList {
  readonly parts: readonly Part[];
  /** Which share of the weight of all parts has to be matched. */
  readonly share: number;
  /** One of these an entry must have beside that; null where nothing. */
  readonly beside: readonly MatchCondition[] | null;
}

/** A part of the query. */
export interface Part {
  readonly text: string;
  readonly weight: number;
  /** The most telling first. */
  readonly evidence: readonly Evidence[];
  /** Being in one of its categories counts beside the words; null where it names none. */
  readonly categories: MatchCondition | null;
}

/** With fewer matches of all words than this, in the whole index, others follow. */
export const FEW = 5;
/** Of two like words the earlier one is enough, and the later one, which weighs less, is not. */
const SOME = 0.5;
/** In a question many words only lead to what is asked for: then so much is enough, behind what has half. */
const FEWER = 0.33;

/** What a query asks for, understood by the shipped synonyms where it was not understood before. */
export function planFor({ q, understood }: Pick<SearchQuery, 'q' | 'understood'>): Plan {
  return planOf(understood ?? parseQuery(q, shippedKnowledge()));
}

export function planOf({ exact, exactSound, asTyped, instead, isUsername }: ParsedQuery): Plan {
  if (isUsername) {
    const full = wanted(asTyped, 1, namedEvidenceOf);
    return { exact, exactSound, full, otherwise: [], slips: [] };
  }
  const full = wanted(asTyped, 1);
  const other = instead === null ? null : wanted(instead, 1);
  const reading = instead ?? asTyped;
  const some = (reading.isQuestion && other === null ? [SOME, FEWER] : [SOME]).map((share) =>
    someOf(reading, share),
  );
  return {
    exact,
    exactSound,
    full,
    otherwise: [other, ...(reading.concepts.length > 1 ? some : [])].filter((one) => one !== null),
    slips: exactSound.split(' ').filter((word) => word !== ''),
  };
}

/** What it takes to have this part in any way. */
export function anyOf({ evidence }: Part): MatchCondition {
  return any(matchingWays(evidence).map(({ condition }) => condition));
}

function wanted({ concepts }: Reading, share: number, ways = evidenceOf): PlanList | null {
  if (concepts.length === 0) return null;
  return { share, parts: concepts.map((concept) => partOf(concept, ways)), beside: null };
}

/** So much of it, one part of that in a way that tells something. */
function someOf(reading: Reading, share: number): PlanList | null {
  const some = wanted(reading, share);
  if (some === null) return null;
  // Beside words of kind there is one part alone: any way to have it is enough.
  const [first, ...others] = some.parts.filter((part) => tellingConditions(part).length > 0);
  const beside =
    first !== undefined && others.length === 0
      ? matchingWays(first.evidence).map(({ condition }) => condition)
      : some.parts.flatMap(tellingConditions);
  return { ...some, beside };
}

function partOf(concept: Concept, ways: typeof evidenceOf): Part {
  const { words, weight, categories, around } = concept;
  const all = [...new Set([...categories, ...around])];
  return {
    text: words.map(({ typed }) => readable(typed)).join(' '),
    weight,
    evidence: ways(concept),
    categories: all.length === 0 ? null : { field: 'category', values: all },
  };
}

/** Of more parts the lightest do not help an entry that has only some: there would be too many combinations. */
const MOST = 5;
/** Sums of the same weights in another order may differ by as much. */
const ROUNDING = 1e-9;

/** The parts that count: all where all have to be matched, else the heaviest. An entry has enough whose parts weigh `leastWeightOf`. */
export function countedParts({ parts, share }: PlanList): readonly Part[] {
  return share === 1 ? parts : parts.toSorted((one, other) => other.weight - one.weight).slice(0, MOST);
}

/** How much of the weight has to be matched. */
export function leastWeightOf({ parts, share }: PlanList): number {
  return share * weightOf(parts) - ROUNDING;
}

export function weightOf(parts: readonly Pick<Part, 'weight'>[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
