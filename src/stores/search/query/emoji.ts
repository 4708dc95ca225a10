import { readFileSync } from 'node:fs';

import { once } from '../../../platform/once.ts';
import { PREFIX } from './emoji-words.ts';
import { type Group, readSynonyms } from './synonyms.ts';

/** What emoji mean, in words of both languages. */

/** What an emoji of a query means, its own names first; null where the word is none, or means nothing. */
export function meaningOf(word: string): Group | null {
  if (!word.startsWith(PREFIX)) return null;
  const [group] = meanings().get(word) ?? [];
  return group === undefined ? null : { ...group, terms: group.terms.filter((term) => term !== word) };
}

const meanings = once((): ReadonlyMap<string, readonly Group[]> => {
  const text = readFileSync(new URL('emoji.txt', import.meta.url), 'utf8');
  return readSynonyms(text, 'emoji.txt').groups;
});
