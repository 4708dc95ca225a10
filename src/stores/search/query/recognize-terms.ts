import { readFileSync } from 'node:fs';

import { once } from '../../../platform/once.ts';
import { isAsking, isFrequent, isQuestionWord, isStopWord } from './common-words.ts';
import { derivedFrom } from './russian-derivation.ts';
import { PREFIX } from './emoji-index-words.ts';
import { cut } from './word-forms.ts';
import type { Knowledge } from './knowledge.ts';
import { longerTermsOf, longerThan } from './longer-unrelated-terms.ts';
import { rootOf, rootsOf } from './stemmer.ts';
import { type Group, LONGEST_TERM, readSynonyms, wordsOrEmoji } from './synonyms.ts';
import { keyOfRoot, keyOfTerm, keyOfWord, type Term, termOf, wordOf, wordOfKey } from './term-keys.ts';
import type { Concept, Reading } from './parsed-query.ts';

const FREQUENT_WEIGHT = 0.5;
const UNKNOWN = 0.5;
/** Words of kind, and letters that stand alone. */
const LIGHT = 0.4;
/** Earlier words weigh more: each by so much of the one before. */
const LATER = 0.95;

/** The words of a query as what they mean: the longest known terms first, every other word by itself. Pure. */
export function readingOf(text: string, knowledge: Knowledge): Reading {
  const all = [...new Set(wordsOrEmoji(text).map(cut))];
  const telling = all.filter((word) => !isStopWord(word));
  const words = telling.length === 0 ? all : telling;
  const terms = withoutAsking(termsIn(words, knowledge));
  const concepts: Concept[] = [];
  for (const [at, typed] of terms.entries()) {
    if (concepts.some(({ synonyms }) => isTermOf(synonyms, typed))) continue;
    const isEnded = at < terms.length - 1 || /\s$/u.test(text);
    concepts.push(conceptOf(typed, { place: concepts.length, isEnded }, knowledge));
  }
  return { text, isQuestion: all.some(isQuestionWord), concepts: lighter(concepts) };
}

/** The longest known terms, and every other word by itself. */
function termsIn(words: readonly string[], knowledge: Knowledge): readonly (readonly string[])[] {
  const terms: (readonly string[])[] = [];
  for (let at = 0; at < words.length;) {
    const count = knownTerm(words.slice(at, at + LONGEST_TERM), knowledge);
    terms.push(words.slice(at, at + count));
    at += count;
  }
  return terms;
}

/** What is asked for, without words of asking; all where there is nothing else. */
function withoutAsking(terms: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const telling = terms.filter(({ 0: first = '', length }) => length > 1 || !isAsking(first));
  return telling.length === 0 ? terms : telling;
}

/** Beside what is known, a word that nobody knows tells less of what is looked for. */
function lighter(concepts: readonly Concept[]): readonly Concept[] {
  const isKnown = ({ synonyms, related, categories, kind }: Concept): boolean =>
    synonyms.length + related.length + categories.length > 0 && kind === null;
  if (!concepts.some(isKnown)) return concepts;
  return concepts.map((one) =>
    isKnown(one) || one.kind !== null ? one : { ...one, weight: one.weight * UNKNOWN },
  );
}

/** Whether it says again what was said: of two names of one thing either is enough. */
function isTermOf(synonyms: Concept['synonyms'], typed: readonly string[]): boolean {
  const term = typed.join(' ');
  return synonyms.some((words) => words.map((word) => word.typed).join(' ') === term);
}

/** How many words the longest known term has that these begin with; 1 where there is none. */
function knownTerm(words: readonly string[], { synonyms, categories }: Knowledge): number {
  for (let count = words.length; count > 1; count -= 1) {
    const keys = keysOf(words.slice(0, count));
    if (keys.some((key) => synonyms.groups.has(key) || categories.has(key))) return count;
  }
  return 1;
}

function conceptOf(
  said: readonly string[],
  { place, isEnded }: { readonly place: number; readonly isEnded: boolean },
  knowledge: Knowledge,
): Concept {
  const { synonyms, categories } = knowledge;
  const meant = said.length === 1 ? meaningOf(said[0] ?? '') : null;
  const typed = meant?.terms[0]?.text.split(' ') ?? said;
  const own = [...new Set([...keysOf(typed), ...(meant?.terms ?? []).map(({ key }) => key)])];
  const isKnown = (key: string): boolean => synonyms.groups.has(key) || categories.has(key);
  const keys = typed.length > 1 || own.some(isKnown) ? own : [...own, ...keysDerived(typed, isKnown)];
  const groups = [
    ...(meant === null ? [] : [meant]),
    ...keys.flatMap((key) => synonyms.groups.get(key) ?? []),
  ];
  const terms = distinct(groups.flatMap((group) => group.terms));
  const termKeys = terms.map(({ key }) => key);
  const below = [...keys, ...termKeys].flatMap((key) => categories.get(key) ?? []);
  const related = distinct(groups.flatMap((group) => group.related));
  const [first = ''] = typed;
  const named = typed.length === 1 ? (KIND_BY_ROOT.get(rootOf(first)) ?? null) : null;
  const weight = named === null && first.length > 1 ? (typed.every(isFrequent) ? FREQUENT_WEIGHT : 1) : LIGHT;
  const isWhole = isEnded || meant !== null || keys.some((key) => knowledge.keys.has(key));
  return {
    words: said.map(wordOf),
    weight: weight * LATER ** place,
    synonyms: terms.map(({ words }) => words),
    each: typed.length === 1 ? [] : typed.map((word) => [[wordOf(word)], ...synonymsOf([word], knowledge)]),
    longer: longerThan(isWhole ? distinct([...terms, termOf(typed.join(' '))]) : terms, groups, knowledge),
    longerTerms: longerTermsOf([...own, ...termKeys], below, knowledge).map((key) =>
      key.split(' ').map(wordOfKey),
    ),
    isWhole,
    related: related.map(({ words }) => words),
    categories: [...new Set(below)],
    around: [...new Set(related.flatMap(({ key }) => categories.get(key) ?? []))],
    kind: named?.kind ?? null,
    subtype: named?.subtype ?? null,
  };
}

/** The key of the nearest known word that it may be made from. */
function keysDerived([word = '']: readonly string[], isKnown: (key: string) => boolean): readonly string[] {
  const known = derivedFrom(word).map(keyOfWord).find(isKnown);
  return known === undefined ? [] : [known];
}

function synonymsOf(typed: readonly string[], { synonyms }: Knowledge): Concept['synonyms'] {
  const groups = keysOf(typed).flatMap((key) => synonyms.groups.get(key) ?? []);
  return distinct(groups.flatMap(({ terms }) => terms)).map(({ words }) => words);
}

/** The keys that typed words may have: Latin ones may be Russian words. */
function keysOf(words: readonly string[]): readonly string[] {
  const own = keyOfTerm(words.join(' '));
  const asRussian = words.map((word) => keyOfRoot(word, rootsOf(word).at(-1) ?? word)).join(' ');
  return own === asRussian ? [own] : [own, asRussian];
}

/** Each text once: emoji have terms of their own. */
function distinct(terms: readonly Term[]): readonly Term[] {
  return [...new Map(terms.map((term) => [term.text, term])).values()];
}

/** Words that name a kind of entry: they lean to it. */
const KINDS: readonly (readonly [Pick<Concept, 'kind' | 'subtype'>, readonly string[]])[] = [
  [{ kind: 'channel', subtype: 'broadcast' }, ['канал', 'канале', 'каналы', 'channel', 'паблик']],
  [{ kind: 'channel', subtype: 'group' }, ['чат', 'chat', 'группа', 'group', 'чатик']],
  [{ kind: 'bot', subtype: null }, ['бот', 'bot', 'ботик', 'робот']],
  [{ kind: 'miniapp', subtype: null }, ['миниапп', 'миниприложение', 'miniapp', 'tma']],
];

const KIND_BY_ROOT = new Map(KINDS.flatMap(([named, words]) => words.map((word) => [rootOf(word), named])));

/** What an emoji of a query means, its own names first; null where the word is none, or means nothing. */
function meaningOf(word: string): Group | null {
  if (!word.startsWith(PREFIX)) return null;
  const [group] = meanings().get(word) ?? [];
  return group === undefined ? null : { ...group, terms: group.terms.filter(({ text }) => text !== word) };
}

const meanings = once((): ReadonlyMap<string, readonly Group[]> => {
  const text = readFileSync(new URL('emoji.txt', import.meta.url), 'utf8');
  return readSynonyms(text, 'emoji.txt').groups;
});
