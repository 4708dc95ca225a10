import { readFileSync } from 'node:fs';

import { searchWords } from '../../../platform/text/search-text.ts';
import { messageOf, UsageError } from '../../../platform/errors.ts';
import { once } from '../../../platform/once.ts';
import { emojiIn } from './emoji-index-words.ts';
import { type Term, termOf } from './term-keys.ts';

/** Synonyms as data: what else a word, or several, may be called. Replaceable by the operator: docs/reference/search.md. */

export interface Group {
  readonly terms: readonly Term[];
  /** What is near to it: found too, behind the terms. Who asks for those does not find the terms. */
  readonly related: readonly Term[];
}

export interface Synonyms {
  /** By the key of each term. */
  readonly groups: ReadonlyMap<string, readonly Group[]>;
  /** The words of all terms, for slips of the finger. */
  readonly words: ReadonlySet<string>;
}

/** Terms of more words are not recognized in a query. */
export const LONGEST_TERM = 5;
const MAX_GROUPS = 20_000;

/**
 * Reads a file of groups: a group a line, its terms with commas between; behind `>` stands what is near to it, behind `<`
 * what only queries call it. Behind `#` stands a comment.
 * @throws {UsageError} naming the line that is wrong.
 */
export function readSynonyms(text: string, file: string): Synonyms {
  const groups = new Map<string, Group[]>();
  const words = new Set<string>();
  let count = 0;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const refuse = (why: string): never => {
      throw new UsageError(`${file}, line ${at + 1}: ${why}`);
    };
    const read = groupIn(line, refuse);
    if (read === null) continue;
    const { group, asked } = read;
    count += 1;
    if (count > MAX_GROUPS) refuse(`there are more than ${MAX_GROUPS} groups. Leave some out.`);
    for (const { key, text: term } of [...group.terms, ...asked]) {
      groups.set(key, [...(groups.get(key) ?? []), group]);
      for (const word of term.split(' ')) words.add(word);
    }
  }
  return { groups, words };
}

/** The synonyms that the service comes with, in `synonyms.txt` beside this file. */
export const shippedSynonyms = once((): Synonyms =>
  readSynonyms(readFileSync(new URL('synonyms.txt', import.meta.url), 'utf8'), 'synonyms.txt'),
);

/**
 * The synonyms in a file of the operator's, in the place of the shipped ones.
 * @throws {UsageError} where it cannot be read, or naming the line that is wrong.
 */
export function synonymsIn(path: string): Synonyms {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (thrown) {
    throw new UsageError(`CATALOG_SYNONYMS: ${path} cannot be read as UTF-8 text: ${messageOf(thrown)}`);
  }
  return readSynonyms(text, `CATALOG_SYNONYMS: ${path}`);
}

/** The words of a text; its emoji where it has none. */
export function wordsOrEmoji(text: string): readonly string[] {
  const words = searchWords(text);
  return words.length > 0 ? words : emojiIn(text).map(({ word }) => word);
}

/** A group, and what only queries call it. */
function groupIn(line: string, refuse: (why: string) => never) {
  const told = line.replace(/(?:^|\s)#(?:\s.*|$)/, '').trim();
  if (told === '') return null;
  const [all = '', queries, ...others] = told.split('<');
  if (others.length > 0) refuse('`<` stands twice. Write it once, before what only queries call the group.');
  const asked = queries === undefined ? [] : termsIn(queries, refuse);
  const [left = '', right, ...more] = all.split('>');
  if (more.length > 0) refuse('`>` stands twice. Write it once, before what is near to the group.');
  const terms = termsIn(left, refuse);
  const related = right === undefined ? [] : termsIn(right, refuse);
  if (terms.length + related.length + asked.length < 2) {
    refuse(`${JSON.stringify(told)} is a group of one. Write at least two terms with a comma between.`);
  }
  return { group: { terms, related }, asked };
}

function termsIn(list: string, refuse: (why: string) => never): readonly Term[] {
  const seen = new Set<string>();
  for (const typed of list.split(',')) {
    const words = wordsOrEmoji(typed);
    const term = words.join(' ');
    if (term === '')
      refuse(`${JSON.stringify(typed.trim())} has no words. Take a comma away, or write a term.`);
    if (words.length > LONGEST_TERM) {
      refuse(`${JSON.stringify(typed.trim())} has more than ${LONGEST_TERM} words. Write a shorter term.`);
    }
    if (seen.has(term)) refuse(`${JSON.stringify(typed.trim())} stands twice. Write it once.`);
    seen.add(term);
  }
  return Array.from(seen, termOf);
}
