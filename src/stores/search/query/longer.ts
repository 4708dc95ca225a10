import { isHeard } from './forms.ts';
import type { Knowledge } from './knowledge.ts';
import { rootOf } from './roots.ts';
import { type Group, keyOfTerm, keyOfWord } from './synonyms.ts';

/** Known words and terms that hold what was asked for, and mean something else: `JavaScript` is not about Java. Pure. */

/** The roots of known words that begin with one of these, and share no group with them; the shortest of those that begin alike. */
export function longerThan(
  words: readonly string[],
  groups: readonly Group[],
  { alike, synonyms }: Knowledge,
): readonly string[] {
  const own = new Set(groups);
  const meansElse = (known: string): boolean => {
    const others = synonyms.groups.get(keyOfWord(known)) ?? [];
    return others.length > 0 && !others.some((group) => own.has(group));
  };
  const found = words.filter(isHeard).flatMap((word) => {
    const beginning = (alike.get(word.charCodeAt(0)) ?? []).filter((known) => known.startsWith(word));
    const longer = beginning.filter((known) => keyOfWord(known) !== keyOfWord(word) && meansElse(known));
    return longer.filter((one) => !longer.some((other) => other !== one && one.startsWith(other)));
  });
  return [...new Set(found.map(rootOf))].filter((root) => root !== '');
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
