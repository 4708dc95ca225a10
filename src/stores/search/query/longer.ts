import { isHeard } from './forms.ts';
import type { Knowledge } from './knowledge.ts';
import { rootOf } from './roots.ts';
import { type Group, keyOfTerm, keyOfWord } from './synonyms.ts';

/** Known words and terms that hold what was asked for, and mean something else: `JavaScript` is not about Java. Pure. */

/** Known words that begin with it, and are no form of it and no synonym; the shortest of those that begin alike. */
export function longerThan(
  word: string,
  terms: ReadonlySet<string>,
  { alike }: Knowledge,
): readonly string[] {
  const own = keyOfWord(word);
  const longer = (alike.get(word.charCodeAt(0)) ?? []).filter(
    (known) =>
      known.length > word.length && known.startsWith(word) && keyOfWord(known) !== own && !terms.has(known),
  );
  return longer.filter((one) => !longer.some((other) => other !== one && one.startsWith(other)));
}

/** The roots of known words that begin with a synonym, and mean something else: `cryptography` beside `crypto`. */
export function rootsLongerThanSynonyms(groups: readonly Group[], knowledge: Knowledge): readonly string[] {
  const own = new Set(groups);
  const meansElse = (word: string): boolean => {
    const others = knowledge.synonyms.groups.get(keyOfWord(word)) ?? [];
    return others.length > 0 && !others.some((group) => own.has(group));
  };
  const terms = new Set(
    groups.flatMap((group) => group.terms).filter((term) => !term.includes(' ') && isHeard(term)),
  );
  const longer = Array.from(terms).flatMap((term) => longerThan(term, terms, knowledge).filter(meansElse));
  return [...new Set(longer.map(rootOf))].filter((root) => root !== '');
}

/** Of what names a category: the keys of terms that name another one with its words and more, as `разработка игр` beside `игры`. */
export function longerTermsOf(
  keys: readonly string[],
  below: readonly string[],
  { categories, synonyms }: Knowledge,
): readonly string[] {
  if (below.length === 0) return [];
  const holds = (key: string): boolean => {
    const words = key.split(' ');
    return words.length > 1 && !keys.includes(key) && words.some((word) => keys.includes(word));
  };
  const others = [...categories].filter(
    ([key, slugs]) => holds(key) && !slugs.every((slug) => below.includes(slug)),
  );
  const named = others.flatMap(([key]) => [
    key,
    ...(synonyms.groups.get(key) ?? []).flatMap(({ terms }) => terms.map(keyOfTerm)).filter(holds),
  ]);
  return [...new Set(named)];
}
