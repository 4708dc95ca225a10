import { namesOf } from '../asking/emoji-words.ts';
import { formsOf } from '../asking/forms.ts';
import { LONGEST_TERM } from '../asking/synonyms.ts';
import type { WordCondition } from '../ranking/condition.ts';
import type { Described } from '../ranking/holds.ts';
import { entryDigest, type SearchEntry } from '../port.ts';
import { leadKey, tailKey, wordKey } from './conditions.ts';
import { keyOf, SEAL_KIND, subtypeKeyOf } from './filters.ts';

/** An entry as Meilisearch holds it: what is filtered by its keys, what is looked at here as it is. Pure. */
export interface StoredEntry {
  readonly id: string;
  readonly key: string;
  readonly digest: string;
  /** With the subtype behind it, where there is one. */
  readonly kind: string | readonly string[];
  readonly category: string | null;
  readonly score: number;
  readonly exact: readonly string[];
  readonly sounds: readonly string[];
  /** Each word in each of its forms. */
  readonly words: readonly string[];
  /** The words of names from each of their letters on, by their sound: what stands inside of a word begins one of these. */
  readonly tails: readonly string[];
  /** The first words of names, by their sound: one, two, and so on. */
  readonly leads: readonly string[];
  readonly sound_names: readonly string[];
  readonly described: Described;
}

/**
 * A seal as Meilisearch holds it: a document without a key, so that it is none of the entries, and without words.
 */
export interface StoredSeal {
  readonly id: string;
  readonly kind: typeof SEAL_KIND;
  readonly score: number;
  readonly seal: string;
}

/** No entry has such an id: no slug begins with a hyphen. */
const SEAL_PREFIX = '-seal-';
/** What is asked for inside of a word has as many letters at least. */
const SHORTEST_TAIL = 4;

export function storedSeal(seal: string): StoredSeal {
  return { id: idOfSeal(seal), kind: SEAL_KIND, score: 0, seal };
}

export function idOfSeal(seal: string): string {
  return `${SEAL_PREFIX}${seal}`;
}

export function isSeal(id: string): boolean {
  return id.startsWith(SEAL_PREFIX);
}

export function storedOf(entry: SearchEntry): StoredEntry {
  const { id, kind, subtype, category, score, exact, texts, transliterated } = entry;
  return {
    id,
    key: keyOf(id),
    digest: entryDigest(entry),
    kind: subtype === undefined ? keyOf(kind) : [keyOf(kind), subtypeKeyOf(subtype)],
    category: category === null ? null : keyOf(category),
    score,
    exact: exact.map(keyOf),
    sounds: transliterated.names.map(keyOf),
    words: [...wordsOf('names', namesOf(entry)), ...wordsOf('texts', texts)],
    tails: tailsOf(transliterated.names),
    leads: leadsOf(transliterated.names),
    sound_names: transliterated.names,
    described: { ...entry, transliterated: { names: transliterated.names } },
  };
}

function wordsOf(zone: WordCondition['zone'], texts: readonly string[]): readonly string[] {
  const forms = formsOf(texts);
  return (['typed', 'sounds', 'roots'] as const).flatMap((form) =>
    forms[form].map((word) => wordKey({ word, form, zone })),
  );
}

function tailsOf(names: readonly string[]): readonly string[] {
  const tails = new Set<string>();
  for (const word of new Set(names.flatMap((name) => name.split(' ')))) {
    for (let at = 0; at + SHORTEST_TAIL <= word.length; at += 1) tails.add(tailKey(word.slice(at)));
  }
  return [...tails];
}

/** What is asked for is a word or a term, so no more words than a term has. */
function leadsOf(names: readonly string[]): readonly string[] {
  const leads = new Set<string>();
  for (const name of names) {
    const words = name.split(' ').slice(0, LONGEST_TERM);
    for (const at of words.keys()) leads.add(leadKey(words.slice(0, at + 1).join(' ')));
  }
  return [...leads];
}
