import { readFileSync } from 'node:fs';

import { PREFIX } from './emoji-words.ts';
import { type Group, readSynonyms } from './synonyms.ts';

/** What emoji mean, in words of both languages. */

let known: ReadonlyMap<string, readonly Group[]> | null = null;

/** What an emoji of a query means, its own names first; null where the word is none, or means nothing. */
export function meaningOf(word: string): Group | null {
  if (!word.startsWith(PREFIX)) return null;
  const [group] = (known ??= read()).get(word) ?? [];
  return group === undefined ? null : { ...group, terms: group.terms.filter((term) => term !== word) };
}

function read(): ReadonlyMap<string, readonly Group[]> {
  const text = readFileSync(new URL('emoji.txt', import.meta.url), 'utf8');
  return readSynonyms(text, 'emoji.txt').groups;
}
