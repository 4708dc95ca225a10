import { lettersIn } from '../asking/forms.ts';
import type { Concept, Word } from '../asking/understood.ts';
import { all, any, type Condition, type WordCondition } from './condition.ts';

/** How well an entry has what a part of a query means, from the best level to the least. Each takes in those above. Pure. */

export const LEVELS = [1, 2, 3, 4] as const;
export type Level = (typeof LEVELS)[number];

type Zone = WordCondition['zone'];

/** Beginnings of fewer letters fit too many words to count as much. */
const LONG = 4;

export function atLevel(concept: Concept, level: Level, isAlone: boolean): Condition {
  const { words, synonyms, related, categories, kind } = concept;
  const terms = [words, ...synonyms];
  const glued = terms.filter((term) => term.length === 1);
  const isLong = words.every(({ typed }) => lettersIn(typed) >= LONG);
  const levels: readonly (readonly Condition[])[] = [
    [
      whole(words, ['names']),
      // Beside other words, a word of kind says which of the others are meant.
      ...(kind !== null && !isAlone ? [{ kind }] : []),
    ],
    [...terms.map((term) => whole(term, ['names', 'texts'])), ...(isLong ? [begun(words, ['names'])] : [])],
    [
      ...(categories.length > 0 ? [{ categories }] : []),
      ...(isLong ? [] : [begun(words, ['names'])]),
      ...(kind === null ? [] : [{ kind }]),
      ...related.map((term) => whole(term, ['names'])),
    ],
    [
      begun(words, ['names', 'texts']),
      ...related.map((term) => whole(term, ['texts'])),
      ...[words, ...glued].flatMap(inside),
    ],
  ];
  return { steps: levels.slice(0, level).map(any) };
}

function whole(term: readonly Word[], zones: readonly Zone[]): Condition {
  return all(term.map((word) => any(zones.flatMap((zone) => wholeIn(word, zone)))));
}

function wholeIn({ typed, sound, roots }: Word, zone: Zone): readonly Condition[] {
  if (sound === '') return [{ word: typed, form: 'typed', zone, begins: false }];
  return [
    { word: sound, form: 'sounds', zone, begins: false },
    ...roots.map((root) => ({ word: root, form: 'roots', zone, begins: false }) as const),
  ];
}

function begun(words: readonly Word[], zones: readonly Zone[]): Condition {
  return all(
    words.map(({ typed, sound }) =>
      any(
        zones.flatMap((zone) => [
          { word: typed, form: 'typed', zone, begins: true } as const,
          ...(lettersIn(typed) >= LONG && sound !== ''
            ? [{ word: sound, form: 'sounds', zone, begins: true } as const]
            : []),
        ]),
      ),
    ),
  );
}

function inside(words: readonly Word[]): readonly Condition[] {
  const isLong = words.every(({ sound }) => sound.length >= LONG);
  return isLong ? [all(words.map(({ sound }) => ({ inside: sound })))] : [];
}
