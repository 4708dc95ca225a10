import { stemmer as englishStem } from '@orama/stemmers/english';
import { stemmer as russianStem } from '@orama/stemmers/russian';

import { createBoundedMap, entryBytes } from '../../../platform/cache/bounded-map.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';

/**
 * Roots of words: what the forms of one word have in common, in Latin letters. `вакансий` and `вакансия` are both `vakans`.
 * Snowball's rules for Russian and English (https://snowballstem.org/algorithms/); other scripts are left alone. Pure.
 */

const RUSSIAN = /^[а-яіїєґў]+$/;
const LATIN = /^[a-z]+$/;
/** Shorter words are not cut: what would be left tells nothing. */
const LEAST = 3;

/** Roots by their words, in bytes: texts repeat few words. */
const KNOWN = createBoundedMap<string>(4 * 1024 * 1024);

/** The root of a word as `searchWords` gives it; empty where nothing is heard of it. */
export function rootOf(word: string): string {
  const known = KNOWN.get(word);
  if (known !== undefined) return known;
  const root = transliterate(stemOf(word));
  KNOWN.set(word, root, entryBytes(word) + 2 * root.length);
  return root;
}

/** The roots that a typed word may have: a Latin one may be a Russian word in Latin letters. */
export function rootsOf(word: string): readonly string[] {
  const own = rootOf(word);
  if (word.length < LEAST || !LATIN.test(word)) return [own];
  const asRussian = rootOf(inCyrillic(word));
  return asRussian === own || asRussian.length < LEAST ? [own] : [own, asRussian];
}

function stemOf(word: string): string {
  if (word.length < LEAST) return word;
  if (LATIN.test(word)) return keptLong(englishStem(word), word);
  return RUSSIAN.test(word) ? keptLong(russianStem(withShortI(word)).replaceAll('й', 'и'), word) : word;
}

function keptLong(stem: string, word: string): string {
  return stem.length < LEAST ? word : stem;
}

/** Words come without `й`, which the endings that Snowball knows are written with: after a vowel it is one. */
function withShortI(word: string): string {
  return word.replaceAll(/(?<=[аеиоуыэюя])и/g, 'й');
}

/** How Russian words are spelt in Latin letters, the longer spellings first. */
const SPELLINGS = new Map(
  `shch щ sch щ zh ж kh х ts ц ch ч sh ш yu ю ju ю ya я ja я yo е jo е iy ии yy ыи
   a а b б c к d д e е f ф g г h х i и j и k к l л m м n н o о p п q к r р s с t т u у v в w в x кс y ы z з`
    .match(/\S+ \S+/g)
    ?.map((pair) => pair.split(' ') as [string, string]),
);
const ANY = new RegExp([...SPELLINGS.keys()].join('|'), 'g');

/** A Latin word as the Russian one that it may be: `sistemnoe` is `системное`. A guess, good enough for its root. */
function inCyrillic(word: string): string {
  return word.replaceAll(ANY, (latin) => SPELLINGS.get(latin) ?? latin);
}
