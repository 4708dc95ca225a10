import { createHmac, hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { PermanentError, UsageError } from '../../platform/errors.ts';

/**
 * The form of an API key: `cat_live_`, 30 random characters, and 6 characters of their checksum, all base62. The
 * checksum tells a mistyped key from a real one without asking the store; it is no secret and proves nothing.
 */

const PREFIX = 'cat_live_';
const RANDOM_LENGTH = 30;
/** 62^6 is more than 2^32, so six characters hold every CRC-32. */
const CHECKSUM_LENGTH = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const FORM = /^cat_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** A new key: 30 x log2(62) = 178 bits of the system's randomness. */
export function newKey(): string {
  const random = randomBase62(RANDOM_LENGTH);
  return `${PREFIX}${random}${checksum(random)}`;
}

/** Whether a text has the form of a key and its checksum holds. Says nothing about whether anybody was given it. */
export function isWellFormed(text: string): boolean {
  const [, random, sum] = FORM.exec(text) ?? [];
  return random !== undefined && sum === checksum(random);
}

/** The public name of a key: safe to log and to show, and of no use for guessing the key. */
export function newKeyId(): string {
  return `k_${randomBase62(10)}`;
}

/** Each character drawn alone and evenly: `randomInt` rejects what would favour the first ones. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}

/** The CRC-32 (as in zlib) of the text, in base62, most significant character first, padded with `0`. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/**
 * What a key is remembered by within a process: its plain SHA-256, a few times cheaper than its digest under the pepper.
 * null for a text that is too long or too short to be one.
 */
export function fingerprintOf(text: string): string | null {
  // A byte a character: there may be a million of them.
  return text.length === KEY_LENGTH ? hash('sha256', text, 'latin1') : null;
}

/** What is stored of a key: HMAC-SHA-256 under the server's pepper, in base64url (43 characters). */
export type KeyDigest = (key: string) => string;

/**
 * The digest under a pepper. Without the pepper a stolen store says nothing about its keys, and nobody can plant one.
 * With null, any digest is refused as a `PermanentError`.
 * @throws {UsageError} where the pepper is empty.
 */
export function keyDigest(pepper: string | null): KeyDigest {
  if (pepper === null) {
    return () => {
      throw new PermanentError(
        'There is no pepper in the data folder. Set CATALOG_KEY_PEPPER to what the service has, or CATALOG_DATA to its folder.',
      );
    };
  }
  if (pepper === '') throw new UsageError('CATALOG_KEY_PEPPER is empty. Set it to a long random text.');
  return (key) => createHmac('sha256', pepper).update(key).digest('base64url');
}

/** Whether two digests are the same, in a time that does not depend on where they differ. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
