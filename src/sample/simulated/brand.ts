import phrases from '../data/phrases.json' with { type: 'json' };
import { createRandom, integer } from '../random.ts';

/** A made-up name of three syllables, `Velorez`, which no two entries share. */
export interface Brand {
  /** Seven lower-case Latin letters. */
  readonly latin: string;
  readonly cyrillic: string;
}

/** As many as there may be entries. */
const BRANDS = 1_000_000;

/** The brand of an entry, by its number from 0. */
export function createBrands(seed: number): (entry: number) => Brand {
  const offset = integer(createRandom(`${seed}/brands`), 0, BRANDS - 1);
  return (entry) => {
    // A step that has no factor in common with their number visits each of them once.
    const place = (entry * STEP + offset) % BRANDS;
    const latin = [
      OPEN[Math.floor(place / 10_000)],
      OPEN[Math.floor(place / 100) % 100],
      CLOSED[place % 100],
    ].join('');
    return { latin, cyrillic: latin.replaceAll(/./g, (letter) => CYRILLIC[letter] ?? letter) };
  };
}

const STEP = 420_489;

const CONSONANTS = 'bcdfghklmnprtvwxz'.split('');
const OPEN = syllables(['a', 'e', 'i', 'o', 'u', 'y']);
/** Endings that real names seldom have. */
const CLOSED = syllables(['ax', 'ez', 'iq', 'ox', 'uv', 'yn']);

function syllables(endings: readonly string[]): readonly string[] {
  return CONSONANTS.flatMap((consonant) => endings.map((ending) => consonant + ending)).slice(0, 100);
}

/** How brands are spelt in Cyrillic, letter by letter. */
const CYRILLIC: Readonly<Record<string, string>> = phrases.cyrillic;
