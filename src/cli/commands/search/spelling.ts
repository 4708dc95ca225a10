import { placedWords } from '../../../platform/placed-words.ts';
import type { Synonyms } from '../../../stores/search/query/synonyms.ts';

/** Words in the form of the index as a person writes them: `неиросети` is `нейросети`. */
export type Spelling = (words: readonly string[]) => string;

/** As the query writes them, else as the synonyms or the titles of categories do; else as they are. Pure. */
export function spellingOf(
  q: string,
  { written }: Pick<Synonyms, 'written'>,
  titles: readonly string[],
): Spelling {
  const typed = wordsIn([q]);
  const known = wordsIn([...written.values(), ...titles]);
  return (words) => {
    const term = words.every((word) => typed.has(word)) ? undefined : written.get(words.join(' '));
    return term ?? words.map((word) => typed.get(word) ?? known.get(word) ?? word).join(' ');
  };
}

/** Each word of the texts as it is written there first, by its form in the index. */
function wordsIn(texts: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const text of texts) {
    const letters = Array.from(text);
    for (const { word, start, end } of placedWords(text))
      if (!found.has(word)) found.set(word, letters.slice(start, end).join(''));
  }
  return found;
}
