import { hash } from 'node:crypto';

import { type Json, isJsonObject } from './json-value.ts';

/**
 * The canonical text of a JSON value: RFC 8785 (JSON Canonicalization Scheme). Equal values have equal text, whatever order
 * their keys were written in. Numbers and texts are as ECMAScript writes them, keys in the order of their UTF-16 units.
 * A member that is undefined is left out, as by `JSON.stringify`.
 * @throws {Error} where the value has no JSON form (Infinity, NaN, an unpaired surrogate).
 * @throws {RangeError} where thousands of levels stand in each other.
 */
export function canonical(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return primitive(value);
  // Joined by hand, because every event comes here: lists of parts take half as long again.
  let text = '';
  if (!isJsonObject(value)) {
    for (const member of value) text += (text === '' ? '' : ',') + canonical(member);
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) text += (text === '' ? '' : ',') + nameOf(key) + canonical(member);
  }
  return `{${text}}`;
}

/** Names as they are written. Events have the same few over and over. */
const names = new Map<string, string>();
const NAMES_KEPT = 1000;
const LONGEST_KEPT = 64;

function nameOf(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = `${quoted(key)}:`;
  // Whoever publishes may name fields as they like.
  if (names.size >= NAMES_KEPT) names.clear();
  if (key.length <= LONGEST_KEPT) names.set(key, name);
  return name;
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new Error('a surrogate without its other half has no JSON form');
  return JSON.stringify(text);
}

function primitive(value: null | boolean | number): string {
  const isOne =
    typeof value === 'number' ? Number.isFinite(value) : value === null || typeof value === 'boolean';
  if (!isOne) throw new Error(`${String(value)} has no JSON form`);
  return String(value);
}

/** SHA-256 of the canonical text, in base64url without padding (43 characters). */
export function digestOf(value: Json): string {
  return sha256(canonical(value));
}

/** SHA-256 of bytes or of UTF-8 text, in base64url without padding (43 characters). */
export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'base64url');
}

/** SHA-256 of the canonical text, in 64 lowercase hexadecimal digits: the order of such texts is that of the bytes. */
export function digestHex(value: Json): string {
  return hash('sha256', canonical(value), 'hex');
}
