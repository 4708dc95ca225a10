import { hash } from 'node:crypto';

/** HMAC-SHA-256 (RFC 2104) of text in UTF-8 under a secret, in base64url without padding (43 characters). */
export type KeyedDigest = (text: string) => string;

/** The block of SHA-256, in bytes. */
const BLOCK = 64;
const INNER = 0x36;
const OUTER = 0x5c;

/** Two hashes, each made in one call: a fraction of what the objects of `createHmac` cost for a short text. */
export function keyedDigest(secret: string): KeyedDigest {
  const given = Buffer.from(secret);
  const key = Buffer.alloc(BLOCK);
  key.set(given.length > BLOCK ? hash('sha256', given, 'buffer') : given);
  const [inner, outer] = [key.map((byte) => byte ^ INNER), key.map((byte) => byte ^ OUTER)];
  return (text) => {
    const within = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer');
    return hash('sha256', Buffer.concat([outer, within]), 'base64url');
  };
}
