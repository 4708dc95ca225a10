import type { MultiSearchQuery } from 'meilisearch';

import { nameKey, searchWords } from '../../../platform/search-text.ts';
import { transliterate } from '../../../platform/transliterate.ts';
import { MAX_TOTAL, type SearchQuery } from '../port.ts';
import { all, equals, selection } from './filters.ts';

/**
 * A query as searches of Meilisearch: for names equal to it, and for its words, both as typed and transliterated. What
 * is sent is made of letters and digits, so nothing of it is an operator. Pure.
 */

/** Meilisearch reads the first ten words of a query, and disregards all others. */
export const MAX_WORDS = 10;
/** It indexes no word of more bytes than this: a longer one has no meaning for it. */
const MAX_WORD_BYTES = 240;
/** Letters that it might drop do not make a word: a search for nothing finds everything. */
const HAS_BASE = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u;

export type Search = MultiSearchQuery;

/**
 * The searches for one spelling of a query: an entry matches if all of them find it; the first one ranks. One that is
 * alone is asked for its beginning only, as far as the page goes.
 */
export interface Spelling {
  readonly tier: number;
  readonly searches: readonly [Search, ...Search[]];
}

export const TIERS = { exact: 0, exactSound: 1, words: 2 } as const;

const AS_TYPED = ['names', 'texts'];
const TRANSLITERATED = ['sound_names', 'sound_texts'];

export function spellingsOf(uid: string, query: SearchQuery): readonly Spelling[] {
  const selected = selection(query);
  const reach = query.offset < MAX_TOTAL ? Math.min(query.offset + query.limit, MAX_TOTAL) : 0;
  const words = searchWords(query.q);
  const sounds = words.map(transliterate).filter(Boolean);
  const sound = sounds.join(' ');
  const name = nameKey(query.q);
  return [
    ...named(uid, TIERS.exact, name === '' ? null : equals('exact', name), selected, reach),
    ...named(uid, TIERS.exactSound, sound === '' ? null : equals('sounds', sound), selected, reach),
    ...byWords(uid, words, AS_TYPED, selected, reach),
    ...byWords(uid, sounds, TRANSLITERATED, selected, reach),
  ];
}

function named(
  uid: string,
  tier: number,
  condition: string | null,
  selected: string,
  reach: number,
): readonly Spelling[] {
  if (condition === null) return [];
  return [{ tier, searches: [search(uid, '', all(condition, selected), reach)] }];
}

function byWords(
  uid: string,
  typed: readonly string[],
  attributes: readonly string[],
  selected: string,
  reach: number,
): readonly Spelling[] {
  const [first, ...rest] = chunks(distinct(typed.map(readable)));
  if (first === undefined) return [];
  const asked = (words: string): Search => ({
    ...search(uid, words, selected, rest.length === 0 ? reach : MAX_TOTAL + 1),
    attributesToSearchOn: [...attributes],
    showRankingScore: true,
    showRankingScoreDetails: true,
  });
  return [{ tier: TIERS.words, searches: [asked(first), ...rest.map(asked)] }];
}

/** The same search for all of its keys, unranked, which takes a tenth of the time: up to 2,500 are told. */
export function keysOf(asked: Search): Search {
  return { ...asked, limit: 0, facets: ['key'] };
}

function search(uid: string, q: string, filter: string, limit: number): Search {
  return {
    indexUid: uid,
    q,
    filter,
    limit,
    matchingStrategy: 'all',
    attributesToRetrieve: ['id', 'score'],
  };
}

/** As much of a word as Meilisearch reads, whole letters of it. */
function readable(word: string): string {
  let cut = word;
  while (Buffer.byteLength(cut) > MAX_WORD_BYTES) cut = Array.from(cut).slice(0, -1).join('');
  return HAS_BASE.test(cut) ? cut : '';
}

/** A word typed again asks for nothing more; the last one stays last, for it may be unfinished. */
function distinct(words: readonly string[]): readonly string[] {
  const last = words.at(-1);
  const before = new Set(words.filter((word) => word !== last));
  return [...before, last ?? ''].filter((word) => word !== '');
}

/** Words by tens. Behind all but the last ten stands a space: their last word is finished. */
function chunks(words: readonly string[]): readonly string[] {
  const count = Math.ceil(words.length / MAX_WORDS);
  return Array.from({ length: count }, (_, at) => {
    const chunk = words.slice(at * MAX_WORDS, (at + 1) * MAX_WORDS).join(' ');
    return at === count - 1 ? chunk : `${chunk} `;
  });
}
