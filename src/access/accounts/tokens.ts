import { randomBase62, type KeyDigest } from '../keys/format.ts';

/**
 * What opens a session or is a one-time link: random, shown to one browser or one person, and stored as a digest under the
 * pepper alone. So whoever reads the store has none of them, and whoever may write to it cannot plant one without the pepper.
 */

/** 43 x log2(62) = 256 bits. */
const LENGTH = 43;
const LINK_PREFIX = 'cat_link_';
const LINK = /^cat_link_[0-9A-Za-z]{43}$/;
const TOKEN = /^[0-9A-Za-z]{43}$/;

export function newToken(): string {
  return randomBase62(LENGTH);
}

/** With a beginning of its own, so that logs and terminals know it by its look. */
export function newLinkToken(): string {
  return `${LINK_PREFIX}${newToken()}`;
}

/** The digest of a token of this form; null for what has another one, so that no store is asked about it. */
export function digestOfToken(token: string, digest: KeyDigest): string | null {
  return TOKEN.test(token) ? digest(`session: ${token}`) : null;
}

export function digestOfLink(token: string, digest: KeyDigest): string | null {
  return LINK.test(token) ? digest(`link: ${token}`) : null;
}
