import { digestHex } from '../../../platform/canonical.ts';
import type { WordCondition } from '../ranking/match-condition.ts';

/** What of an entry can be asked for, as it is stored and written in filters: each as a text of one attribute. Pure. */

const FORMS = { typed: 't', sounds: 's', roots: 'r' } as const;
const ZONES = { names: 'n', texts: 't' } as const;

export function wordTerm({ word, form, zone }: Omit<WordCondition, 'begins'>): string {
  return `${ZONES[zone]}${FORMS[form]}-${spelt(word)}`;
}

/** The first words of a name. */
export function leadTerm(sounds: string): string {
  return `lead-${spelt(sounds)}`;
}

/** A word of a name from one of its letters on: what stands inside of a word begins one of these. */
export function tailTerm(sound: string): string {
  return `tail-${spelt(sound)}`;
}

/** What is asked for whole: `named` and `heard` are names, as `nameKey` has them and by their sound. */
export type ValueField = 'kind' | 'subtype' | 'category' | 'named' | 'heard';

export function valueTerm(field: ValueField, value: string): string {
  return `${field}-${keyOf(value)}`;
}

const PLAIN_KEY = /^[a-z0-9-]{1,128}$/;

/**
 * The one way in which a value comes into a filter of Meilisearch, which disregards case and accents, reads what looks like a
 * number as one, and knows no text of more than some hundred bytes: a text without quotes, capitals and spaces that is no
 * number, different for different values, however alike they are. Plain values stay readable, and keep their order.
 */
export function keyOf(value: string): string {
  return PLAIN_KEY.test(value) ? `is-${value}` : `sha-${digestHex(value)}`;
}

const PLAIN = 'abcdefghijklmnopqrstuvwxyz0123456789';
const WHOLLY_PLAIN = /^[a-z0-9]*$/;
const RUSSIAN = 'абвгдежзийклмнопрстуфхцчшщъыьэюя';
/** What stands behind a hyphen for each of them. */
const SHORT = 'abcdefghijklmnopqrstuvwxyz012345';
/** Most letters of most words. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ...Array.from(PLAIN, (letter) => [letter, letter] as const),
  ...Array.from(RUSSIAN, (letter, at) => [letter, `-${SHORT[at]}`] as const),
]);
/** Letters of code points up to 10FFFF. */
const DIGITS = 4;
/** Meilisearch knows no value of more bytes than some 460. */
const LONGEST = 400;

/**
 * A word in letters that Meilisearch takes as they are: it disregards case and accents in filters, and may take letters of
 * one script for those of another. Different words stay different, and a word begins with another one exactly where it
 * did before.
 */
export function spelt(text: string): string {
  if (text.length <= LONGEST && WHOLLY_PLAIN.test(text)) return text;
  let letters = '';
  for (const letter of text) {
    const next = USUAL.get(letter) ?? escaped(letter);
    if (letters.length + next.length > LONGEST) break;
    letters += next;
  }
  return letters;
}

function escaped(letter: string): string {
  return `--${(letter.codePointAt(0) ?? 0).toString(36).padStart(DIGITS, '0')}`;
}

const UID_PREFIX = 'catalog-';

/**
 * What an index is called in Meilisearch, where a uid is made of letters, digits, `-` and `_`: `listings@3` is
 * `catalog-listingsAT3`. Names of ours have no capitals, so that the way back is clear. Pure.
 */
export function uidOf(index: string): string {
  return `${UID_PREFIX}${index.replaceAll('@', 'AT').replaceAll('.', 'DOT')}`;
}

/** The index that a uid stands for; null where it is somebody else's. */
export function indexOf(uid: string): string | null {
  if (!uid.startsWith(UID_PREFIX)) return null;
  const name = uid.slice(UID_PREFIX.length).replaceAll('AT', '@').replaceAll('DOT', '.');
  return uidOf(name) === uid && /^[a-z][a-z0-9_.@-]*$/.test(name) ? name : null;
}
