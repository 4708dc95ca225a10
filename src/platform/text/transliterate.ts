import { createBoundedMap, entryBytes } from '../cache/bounded-map.ts';

/**
 * Russian and Latin spellings of a name brought to one: `докер` and `docker` are both `doker`, `Новости` and `novosti`
 * both `novosti`. Entries and queries pass through this same function. Pure.
 *
 * It is a key to compare, not a text to show. Russian letters become Latin ones after BGN/PCGN; then, in what was Latin
 * all along too, sounds that are written in several ways are written in one (`ck`, `c`, `q` as `k`; `y` as `i`; ...).
 */

const RUSSIAN =
  'а a, б b, в v, г g, д d, е e, ж zh, з z, и i, к k, л l, м m, н n, о o, п p, р r, с s, т t, у u, ф f, х kh, ц ts, ч ch, ' +
  'ш sh, щ shch, ъ , ы y, ь , э e, ю yu, я ya';
/** Ukrainian and Belarusian letters that accents do not account for. */
const BESIDE_RUSSIAN = 'є e, і i, ґ g';

const LATIN = new Map(
  `${RUSSIAN}, ${BESIDE_RUSSIAN}`.split(', ').map((pair) => {
    const [letter = '', latin = ''] = pair.split(' ');
    return [letter, latin] as const;
  }),
);

/** One spelling for a sound; applied in this order. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/shch|sch/g, 'sh'],
  [/tch/g, 'ch'],
  [/dzh/g, 'j'],
  [/kh/g, 'h'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/oo/g, 'u'],
  [/ts(?=[eiy])/g, 's'],
  [/c(?=[eiy])/g, 's'],
  [/c(?!h)|q/g, 'k'],
  [/w/g, 'v'],
  [/x/g, 'ks'],
  [/y/g, 'i'],
  // Letters alone: 100 is not 10.
  [/(\P{N})\1+/gu, '$1'],
];

/** Keys by their words, in bytes: texts repeat few words, and a key takes a dozen passes over its word. */
const KNOWN = createBoundedMap<string>(4 * 1024 * 1024);

/** The key of a word as `searchWords` gives it; empty where nothing is heard of it (`ь`). Letters of other scripts stay. */
export function transliterate(word: string): string {
  const known = KNOWN.get(word);
  if (known !== undefined) return known;
  const key = keyOf(word);
  KNOWN.set(word, key, entryBytes(word) + 2 * key.length);
  return key;
}

function keyOf(word: string): string {
  const latin = word.replaceAll(/[а-яєіґ]/g, (letter) => LATIN.get(letter) ?? letter);
  return SOUNDS.reduce((sofar, [spellings, one]) => sofar.replace(spellings, one), latin);
}
