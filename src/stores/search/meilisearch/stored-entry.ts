import { namesOf } from '../query/emoji-index-words.ts';
import { formsOf } from '../query/word-forms.ts';
import { LONGEST_TERM } from '../query/synonyms.ts';
import type { WordCondition } from '../ranking/match-condition.ts';
import type { Described } from '../ranking/evaluate-condition.ts';
import { entryDigest, type SearchEntry } from '../port.ts';
import { keyOf, leadTerm, tailTerm, valueTerm, wordTerm } from './term-encoding.ts';

/** An entry as Meilisearch holds it. */
export type StoredEntry = ReturnType<typeof storedOf>;

/** No entry has such an id: no slug begins with a hyphen. */
const SEAL_PREFIX = '-seal-';
/** What is asked for inside of a word has as many letters at least. */
const SHORTEST_TAIL = 4;

export function idOfSeal(seal: string): string {
  return `${SEAL_PREFIX}${seal}`;
}

export function isSeal(id: string): boolean {
  return id.startsWith(SEAL_PREFIX);
}

export function storedOf(entry: SearchEntry) {
  const { id, score, texts, transliterated } = entry;
  const { names } = transliterated;
  return {
    id,
    key: keyOf(id),
    digest: entryDigest(entry),
    score,
    /** What is filtered by. */
    terms: [
      ...wordsOf('names', namesOf(entry)),
      ...wordsOf('texts', texts),
      ...tailsOf(names),
      ...leadsOf(names),
      ...valuesOf(entry),
    ],
    /** What is searched for slips. */
    sound_names: names,
    /** What is looked at here. */
    described: { ...entry, transliterated: { names } } as Described,
  };
}

function valuesOf({ kind, subtype, category, exact, transliterated }: SearchEntry): readonly string[] {
  return [
    valueTerm('kind', kind),
    ...(subtype === undefined ? [] : [valueTerm('subtype', subtype)]),
    ...(category === null ? [] : [valueTerm('category', category)]),
    ...exact.map((name) => valueTerm('named', name)),
    ...transliterated.names.map((name) => valueTerm('heard', name)),
  ];
}

function wordsOf(zone: WordCondition['zone'], texts: readonly string[]): readonly string[] {
  const forms = formsOf(texts);
  return (['typed', 'sounds', 'roots'] as const).flatMap((form) =>
    Array.from(forms[form], (word) => wordTerm({ word, form, zone })),
  );
}

function tailsOf(names: readonly string[]): readonly string[] {
  const tails = new Set<string>();
  for (const word of new Set(names.flatMap((name) => name.split(' ')))) {
    for (let at = 0; at + SHORTEST_TAIL <= word.length; at += 1) tails.add(tailTerm(word.slice(at)));
  }
  return [...tails];
}

/** What is asked for is a word or a term, so no more words than a term has. */
function leadsOf(names: readonly string[]): readonly string[] {
  const leads = new Set<string>();
  for (const name of names) {
    const words = name.split(' ').slice(0, LONGEST_TERM);
    for (const at of words.keys()) leads.add(leadTerm(words.slice(0, at + 1).join(' ')));
  }
  return [...leads];
}
