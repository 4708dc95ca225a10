import { digestOf } from '../../platform/canonical.ts';
import type { ParsedQuery } from './query/parsed-query.ts';
import type { Json } from '../../platform/json-value.ts';

/**
 * The search engine: entries in named indexes, found by what people type. An index holds nothing of its own: it can be
 * dropped at any time and filled again from the documents.
 *
 * Guarantees that hold with any number of clients:
 * - What an `await` of `put`, `remove` or `drop` has acknowledged is searchable (or no longer), by every client: a
 *   query that begins afterwards sees it.
 * - An entry is found as it was put, never as a mix of two.
 * - There is no order among calls that overlap: a `put` that is still under way may land after a later `remove`.
 *
 * Adapters translate their vendor's errors once: `RetryableError` where a later attempt may succeed, else
 * `PermanentError`. Every method may throw either. After an error any part of a batch may have been applied; all
 * methods are idempotent, so the call can be repeated.
 */
export interface Search extends AsyncDisposable {
  /** Creates an index, with its settings, where it does not exist. Idempotent, safe from several processes at once. */
  declare(index: string): Promise<void>;

  /**
   * Adds entries, or replaces those of the same id. Ids are unique in one call. Resolves once the engine has applied all
   * of them, or has refused the batch: `failed` says why, and calls for bisecting. No bound on the number of entries.
   * @throws {RetryableError} where the index does not exist: it was lost, and has to be declared and filled again.
   */
  put(index: string, entries: readonly SearchEntry[]): Promise<Applied>;

  /** Removes the entries of these ids. An entry, or an index, that is not there counts as removed. */
  remove(index: string, ids: readonly string[]): Promise<Applied>;

  /**
   * Puts a seal on an index, and takes off those in `without`. A seal is a text of the caller's, 1 to 64 of `a-z`,
   * `0-9` and `-`: it is lost with the index, and comes back with a backup of it, so that it tells one state of an index
   * from another. It is no entry: nothing finds, counts or lists it but `seals` and the `seals` of a query. Idempotent.
   * @throws {RetryableError} where the index does not exist.
   */
  seal(index: string, seal: string, without: readonly string[]): Promise<void>;

  /** The seals that an index has, ascending; null where the index does not exist. */
  seals(index: string): Promise<readonly string[] | null>;

  /**
   * The entries that match, in a total order, so that pages of an unchanged index neither repeat nor skip: those with a
   * name equal to `q` first (`exact`), then by relevance, then by score descending, then by id ascending.
   *
   * Relevance is that of the plan (`ranking/query-plan.ts`): entries with every part of `q` in any order; where few of the whole
   * index have that, entries with at least half of its weight follow, then names with slips of the finger. Which entries
   * match is the same on every engine, except for slips; the order of many matches may be coarser on one than on another.
   * Whether an entry matches depends on `q` and the index alone: filters select from that, and add nothing.
   * No character of `q` has a meaning of its own. A `q` of signs alone finds names equal to it.
   * @throws {RetryableError} where the index does not exist.
   * @throws {PermanentError} where `offset` or `limit` is outside its bounds.
   */
  query(index: string, query: SearchQuery): Promise<Hits>;

  /**
   * The ids of an index with their digests, in batches, by id ascending. Not a snapshot: an entry that is put or removed
   * meanwhile is seen as before or as after. Nothing where the index does not exist.
   */
  contents(index: string): AsyncIterable<readonly Content[]>;

  /** The names of all indexes, ascending. */
  indexes(): Promise<readonly string[]>;

  /** Removes an index with its entries. Idempotent. */
  drop(index: string): Promise<void>;

  /** Resolves where the engine answers; throws what keeps it from answering. */
  check(): Promise<void>;
}

/**
 * What an index holds of one listing. All text is in the form of `searchWords`: words in lower case with a space
 * between; no text is empty, none is twice in its list.
 */
export interface SearchEntry {
  /** The slug: 1 to 128 of `a-z`, `0-9`, `-`. */
  readonly id: string;
  /** Filters. */
  readonly kind: string;
  /** Of kinds that have several sorts: which one. No filter; words that name it lean to it. Entries of earlier folds have none. */
  readonly subtype?: string;
  readonly category: string | null;
  /** 0 to 100. */
  readonly score: number;
  /** The username and the titles as `nameKey` has them. */
  readonly exact: readonly string[];
  /** The username and the titles: at most 3. */
  readonly names: readonly string[];
  /** What else is searched, the most telling first. */
  readonly texts: readonly string[];
  /** The same through `transliterate`, word by word: there, a query is searched in that form. */
  readonly transliterated: { readonly names: readonly string[]; readonly texts: readonly string[] };
}

/** A text that an entry is made of, as readers see it, and where it stands. */
export interface SearchedText {
  readonly field: 'username' | 'title' | 'tags' | 'summary' | 'description';
  /** Of a field with a text for each language; else null. */
  readonly language: 'ru' | 'en' | null;
  /** Its place in a list, from 0; else null. */
  readonly item: number | null;
  /** Whether it is one of the entry's names. */
  readonly isName: boolean;
  readonly text: string;
}

/** Tells whether an index holds an entry as it should be: equal entries have equal digests. Adapters keep it. */
export function entryDigest(entry: SearchEntry): string {
  return digestOf(entry as unknown as Json);
}

export interface SearchQuery {
  /** What was typed: at most 120 code points of well-formed text. */
  readonly q: string;
  /** What `q` means, to who knows more than the shipped synonyms. Default: by those alone. */
  readonly understood?: ParsedQuery;
  readonly filter: {
    readonly kind?: string;
    /** Entries of one of these categories; an empty list matches nothing. */
    readonly categories?: readonly string[];
  };
  /** Ids that are not answered and not counted: their removal may not have reached the index yet. */
  readonly exclude: readonly string[];
  /** From 0. Beyond the end, or from place 2,500 on, there are no ids. */
  readonly offset: number;
  /** 1 to 50. */
  readonly limit: number;
}

/** How many places can be reached, and how far is counted. */
export const MAX_TOTAL = 2500;
export const MAX_LIMIT = 50;

export interface Hits {
  readonly ids: readonly string[];
  /** How many entries match, counted up to 2,500. */
  readonly total: number;
  /** False where more than 2,500 match. */
  readonly totalIsExact: boolean;
  /** The seals that the index had throughout the query. */
  readonly seals: readonly string[];
}

export interface Content {
  readonly id: string;
  /** `entryDigest` of the entry. */
  readonly digest: string;
}

export type Applied =
  | { readonly outcome: 'done' }
  /** The engine refuses something in this batch, and would again; any part of it may have been applied. */
  | { readonly outcome: 'failed'; readonly reason: string };
