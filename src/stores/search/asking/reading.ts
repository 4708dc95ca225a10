import { searchWords } from '../../../platform/search-text.ts';
import { transliterate } from '../../../platform/transliterate.ts';
import { isFrequent, isStopWord } from './common-words.ts';
import { cut, isHeard } from './forms.ts';
import { kindNamedBy } from './kinds.ts';
import type { Knowledge } from './knowledge.ts';
import { rootsOf } from './roots.ts';
import { keyOfRoot, keyOfTerm, LONGEST_TERM } from './synonyms.ts';
import type { Concept, Reading, Word } from './understood.ts';

const FREQUENT_WEIGHT = 0.5;
/** Words of kind, and letters that stand alone. */
const LIGHT = 0.3;
/** Earlier words weigh more: each by so much of the one before. */
const LATER = 0.95;

/** The words of a query as what they mean: the longest known terms first, every other word by itself. Pure. */
export function readingOf(text: string, knowledge: Knowledge): Reading {
  const all = distinct(searchWords(text).map(cut));
  const telling = all.filter((word) => !isStopWord(word));
  const words = telling.length === 0 ? all : telling;
  const concepts: Concept[] = [];
  for (let at = 0; at < words.length;) {
    const count = knownTerm(words.slice(at, at + LONGEST_TERM), knowledge);
    concepts.push(conceptOf(words.slice(at, at + count), concepts.length, knowledge));
    at += count;
  }
  return { text, concepts };
}

/** How many words the longest known term has that these begin with; 1 where there is none. */
function knownTerm(words: readonly string[], { synonyms, categories }: Knowledge): number {
  for (let count = words.length; count > 1; count -= 1) {
    const keys = keysOf(words.slice(0, count));
    if (keys.some((key) => synonyms.groups.has(key) || categories.has(key))) return count;
  }
  return 1;
}

function conceptOf(typed: readonly string[], place: number, { synonyms, categories }: Knowledge): Concept {
  const keys = keysOf(typed);
  const groups = keys.flatMap((key) => synonyms.groups.get(key) ?? []);
  const terms = new Set(groups.flatMap((group) => group.terms));
  const below = [...keys, ...Array.from(terms, keyOfTerm)].flatMap((key) => categories.get(key) ?? []);
  const [first = ''] = typed;
  const named = typed.length === 1 ? kindNamedBy(first) : null;
  const own = named === null && first.length > 1 ? (typed.every(isFrequent) ? FREQUENT_WEIGHT : 1) : LIGHT;
  return {
    words: typed.map(wordOf),
    weight: own * LATER ** place,
    synonyms: Array.from(terms, wordsOfTerm),
    related: [...new Set(groups.flatMap((group) => group.related))].map(wordsOfTerm),
    categories: [...new Set(below)],
    kind: named?.kind ?? null,
    subtype: named?.subtype ?? null,
  };
}

/** The keys that typed words may have: Latin ones may be Russian words. */
function keysOf(words: readonly string[]): readonly string[] {
  const own = keyOfTerm(words.join(' '));
  const asRussian = words.map((word) => keyOfRoot(word, rootsOf(word).at(-1) ?? word)).join(' ');
  return own === asRussian ? [own] : [own, asRussian];
}

function wordsOfTerm(term: string): readonly Word[] {
  return term
    .split(' ')
    .filter((word) => !isStopWord(word))
    .map(wordOf);
}

function wordOf(typed: string): Word {
  // What sounds too short, as `php` does, sounds like too much else.
  const sound = isHeard(typed) ? transliterate(typed) : '';
  if (!isHeard(sound)) return { typed, sound: '', roots: [] };
  return { typed, sound, roots: rootsOf(typed).filter((root) => root !== '') };
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
