/**
 * A query as it was understood: plain values, so that they pass between threads. Both engines are asked by it alone.
 */
export interface ParsedQuery {
  /** Names that are meant exactly, as `nameKey` has them. */
  readonly exact: readonly string[];
  /** The same by their sound; empty where nothing is heard of it. */
  readonly exactSound: string;
  /** Whether a username was typed in one of its forms: nothing else is meant. */
  readonly isUsername: boolean;
  readonly asTyped: Reading;
  /** What may have been meant where the query as typed finds little; null where nothing else may. */
  readonly instead: Reading | null;
  /** Why there is another reading. */
  readonly because: 'layout' | 'slips' | null;
}

/** Words of a query, with what they mean. */
export interface Reading {
  readonly text: string;
  /** Whether it is a whole question: most of its words only lead to what is asked for. */
  readonly isQuestion: boolean;
  readonly concepts: readonly Concept[];
}

/** A part of a query that means one thing. */
export interface Concept {
  /** Its words as they were typed, in the form of `searchWords`. */
  readonly words: readonly Word[];
  /** How much it counts where not everything is found: from 0 to 1. */
  readonly weight: number;
  /** What it is called too. */
  readonly synonyms: readonly (readonly Word[])[];
  /** Of a term of several words, what each word is called by itself, as it is typed first; else empty. */
  readonly each: readonly (readonly (readonly Word[])[])[];
  /** Roots of known words that begin with one of its synonyms, or with it where it is a whole word, and mean something else. */
  readonly longer: readonly string[];
  /** Where it names a category: terms that name another one, and have its words in them. */
  readonly longerTerms: readonly (readonly Word[])[];
  /** Whether it is a whole word: it is known, or others were typed behind it. */
  readonly isWhole: boolean;
  /** What is near to it. */
  readonly related: readonly (readonly Word[])[];
  /** The categories that it names, with everything below them. */
  readonly categories: readonly string[];
  /** The categories that what is near to it names: there its words tell more. */
  readonly around: readonly string[];
  /** The kind that it names. */
  readonly kind: string | null;
  /** Which sort of that kind; null where it has no sorts. */
  readonly subtype: string | null;
}

export interface Word {
  readonly typed: string;
  /** Empty where the word is too short to be compared by its sound. */
  readonly sound: string;
  readonly roots: readonly string[];
}
