import { hash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { isJsonObject, type Json, type JsonObject } from './json.ts';

/**
 * The canonical text of a JSON value: RFC 8785 (JSON Canonicalization Scheme).
 * Equal values have equal text, whatever order their keys were written in.
 * @throws {Error} where the value has no JSON form (Infinity, NaN, an unpaired surrogate).
 */
export function canonical(value: Json): string {
  const text = plainly(value) ?? canonicalize(value);
  if (text === undefined) throw new Error('The value has no JSON form');
  return text;
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

/**
 * The canonical text in a quarter of the time: that of `JSON.stringify`, which writes numbers and strings as the RFC
 * asks, for a value whose keys are in order. null where the RFC has more to say than that, or the value is no plain one.
 */
function plainly(value: Json): string | null {
  const ordered = inOrder(value, DEEPEST);
  if (ordered === undefined) return null;
  const text = JSON.stringify(ordered);
  // It writes a surrogate that stands alone as an escape; the RFC refuses it. A backslash itself is never left bare.
  return text.includes(String.raw`\ud`) ? null : text;
}

/** Beyond it the keys are put in order without recursion. */
const DEEPEST = 50;

/** The same value with the keys of all its objects in order; undefined where that cannot be had. */
function inOrder(value: Json, levels: number): Json | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  return isJsonObject(value) ? objectInOrder(value, levels - 1) : listInOrder(value, levels - 1);
}

function listInOrder(list: readonly Json[], levels: number): Json | undefined {
  const ordered: Json[] = [];
  for (const item of list) {
    const own = inOrder(item, levels);
    if (own === undefined) return undefined;
    ordered.push(own);
  }
  return ordered;
}

function objectInOrder(given: JsonObject, levels: number): Json | undefined {
  const names = sorted(Object.keys(given));
  const ordered: Record<string, Json> = {};
  for (const name of names) {
    // An object keeps numbers before its other keys, and has its own idea of this name.
    if (name === '__proto__' || name === 'toJSON' || isDigit(name.charCodeAt(0))) return undefined;
    const own = inOrder(given[name] as Json, levels);
    if (own === undefined) return undefined;
    ordered[name] = own;
  }
  return ordered;
}

/** Few names are sorted in half the time where each is put in its place. */
const FEW = 16;

function sorted(names: string[]): readonly string[] {
  if (names.length > FEW) return names.sort();
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at] as string;
    let place = at;
    for (; place > 0 && (names[place - 1] as string) > name; place -= 1)
      names[place] = names[place - 1] as string;
    names[place] = name;
  }
  return names;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
