import { isHeard, LEAST_HEARD } from './word-forms.ts';
import type { Knowledge } from './knowledge.ts';
import { rootOf } from './stemmer.ts';
import type { Group } from './synonyms.ts';
import type { Term } from './term-keys.ts';

/** Known words and terms that hold what was asked for, and mean something else: `JavaScript` is not about Java. Pure. */

/** The roots of known words that begin with one of these, and share no group with them; the shortest of those that begin alike. */
export function longerThan(
  terms: readonly Term[],
  groups: readonly Group[],
  { longer: known, synonyms }: Knowledge,
): readonly string[] {
  const own = new Set(groups);
  const meansElse = (key: string): boolean => {
    const others = synonyms.groups.get(key) ?? [];
    return others.length > 0 && !others.some((group) => own.has(group));
  };
  const found = terms.flatMap(({ text, key }) => {
    if (text.includes(' ') || !isHeard(text)) return [];
    const longer = (known.get(text.slice(0, LEAST_HEARD)) ?? []).filter(
      (one) => one.word.startsWith(text) && one.key !== key && meansElse(one.key),
    );
    return longer.filter(
      ({ word }) => !longer.some((other) => other.word !== word && word.startsWith(other.word)),
    );
  });
  return [...new Set(found.map(({ word }) => rootOf(word)))].filter((root) => root !== '');
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
    ...(synonyms.groups.get(key) ?? []).flatMap(({ terms }) => terms.map((term) => term.key)).filter(holds),
  ]);
  return [...new Set(named)];
}
