import { nameKey, searchWords } from '../../../platform/search-text.ts';
import { transliterate } from '../../../platform/transliterate.ts';
import { MAX_TOTAL, type SearchQuery } from '../port.ts';
import { all, equals, selection } from './filters.ts';
import { type Search, search } from './requests.ts';
import { chunks, distinct, readable } from './words.ts';

/**
 * A query as searches of Meilisearch: for names equal to it, and for its words, both as typed and transliterated. What
 * is sent is made of letters and digits, so nothing of it is an operator. Pure.
 */

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
