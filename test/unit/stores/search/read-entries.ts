import { gluedParts, nameKey, searchWords } from '../../../../src/platform/text/search-text.ts';
import { transliterate } from '../../../../src/platform/text/transliterate.ts';
import type { ReadEntry } from '../../../../src/stores/search/matches/placed-entry.ts';

/** What an index is given of an entry: its words alone. */
export function inWordsEntry({ kind, subtype, category, texts }: ReadEntry) {
  const names = texts.filter(({ isName }) => isName).map(({ text }) => text);
  const glued = names.map((name) => gluedParts(name)).filter((parts) => parts.length > 1);
  const others = texts.filter(({ isName }) => !isName).map(({ text }) => text);
  const inWords = (text: string): string => searchWords(text).join(' ');
  return {
    kind,
    ...(subtype === null || subtype === undefined ? {} : { subtype }),
    category,
    exact: names.map(nameKey),
    names: names.map(inWords),
    texts: [...glued.map((parts) => parts.join(' ')), ...others].map(inWords),
    transliterated: {
      names: names.map((name) => searchWords(name).map(transliterate).filter(Boolean).join(' ')),
    },
  };
}
