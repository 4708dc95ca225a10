import { placedWords, type PlacedWord } from '../query/placed-words.ts';
import { gluedParts } from '../../../platform/text/search-text.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import { emojiIn } from '../query/emoji-index-words.ts';
import { cut, isHeard, type WordForm } from '../query/word-forms.ts';
import { rootOf } from '../query/stemmer.ts';
import type { SearchedText } from '../port.ts';
import type { MatchCondition } from '../ranking/match-condition.ts';
import { holds, type Traits } from '../ranking/evaluate-condition.ts';

/** An entry as readers see it: what an index was given of it is made of this. */
export interface ReadEntry {
  readonly kind: string;
  readonly subtype?: string | null;
  readonly category: string | null;
  /** Names first, the others in the order of the index. */
  readonly texts: readonly SearchedText[];
}

/** A word of one of the texts, and where it stands there. */
export interface Place extends PlacedWord {
  /** The number of the text. */
  readonly text: number;
  /** Whether it only begins with what was asked for. */
  readonly isLonger?: true;
}

/** The words of an entry, in each of their forms, with their places. */
export interface PlacedEntry extends Traits {
  readonly names: Readonly<Record<WordForm, Places>>;
  readonly texts: Readonly<Record<WordForm, Places>>;
  /** The words of each name. */
  readonly named: readonly (readonly Place[])[];
}

type Places = ReadonlyMap<string, readonly Place[]>;

/** Takes time by the length of all texts. Pure. */
export function placedEntry({ kind, subtype, category, texts }: ReadEntry): PlacedEntry {
  const placed = texts.map(({ text }, at) => placedWords(text).map((word) => ({ ...word, text: at })));
  const named = placed.filter((_, at) => texts[at]?.isName);
  const glued = texts.flatMap(({ isName, text }, at) => (isName ? wordsOfGlued(text, at) : []));
  const emoji = texts.flatMap(({ isName, text }, at) =>
    isName ? emojiIn(text).map((word) => ({ ...word, text: at })) : [],
  );
  const others = placed.filter((_, at) => !texts[at]?.isName).flat();
  return {
    kind,
    subtype: subtype ?? undefined,
    category,
    names: byForms([...named.flat(), ...emoji]),
    texts: byForms([...glued, ...others]),
    sounds: named.map((words) => ` ${soundsIn(words).join(' ')} `),
    named,
  };
}

/** Where an entry that fulfils a condition has what it asks for; nothing of a kind or a category. Pure. */
export function placesOf(condition: MatchCondition, entry: PlacedEntry): readonly Place[] {
  if ('word' in condition) {
    const { word, form, zone, begins } = condition;
    const known = entry[zone][form];
    if (!begins) return known.get(word) ?? [];
    return [...known].flatMap(([one, places]) => {
      if (!one.startsWith(word)) return [];
      return one === word ? places : places.map((place) => ({ ...place, isLonger: true as const }));
    });
  }
  if ('inside' in condition)
    return entry.named.flat().filter(({ word }) => transliterate(word).includes(condition.inside));
  if ('that' in condition) return placesOf(condition.that, entry);
  if ('all' in condition) return condition.all.flatMap((one) => placesOf(one, entry));
  if ('any' in condition)
    return condition.any.flatMap((one) => (holds(one, entry) ? placesOf(one, entry) : []));
  return [];
}

/** As an index has them: words of which nothing is heard leave no space behind. */
function soundsIn(words: readonly Place[]): readonly string[] {
  return words.map(({ word }) => transliterate(word)).filter(Boolean);
}

/** The words of a name that stand glued together; none where nothing does. */
function wordsOfGlued(name: string, text: number): readonly Place[] {
  const parts = gluedParts(name);
  if (parts.length === 1) return [];
  let before = 0;
  return parts.flatMap((part) => {
    const from = before;
    before += Array.from(part).length;
    return placedWords(part).map(({ word, start, end }) => {
      return { word, start: from + start, end: from + end, text };
    });
  });
}

function byForms(places: readonly Place[]): Readonly<Record<WordForm, Places>> {
  const heard = places.filter(({ word }) => isHeard(cut(word)));
  const grouped = (formOf: (word: string) => string): Places => {
    const groups = Map.groupBy(heard, ({ word }) => formOf(cut(word)));
    groups.delete('');
    return groups;
  };
  const typed = Map.groupBy(places, ({ word }) => cut(word));
  return { typed, sounds: grouped(transliterate), roots: grouped(rootOf) };
}
