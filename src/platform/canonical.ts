import { hash } from 'node:crypto';

import canonicalize from 'canonicalize';

import type { Json } from './json-value.ts';

/**
 * The canonical text of a JSON value: RFC 8785 (JSON Canonicalization Scheme).
 * Equal values have equal text, whatever order their keys were written in.
 * @throws {Error} where the value has no JSON form (Infinity, NaN, an unpaired surrogate).
 */
export function canonical(value: Json): string {
  const text = canonicalize(value);
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
