import { hash } from 'node:crypto';

/** HMAC-SHA-256 (RFC 2104) of text in UTF-8 under a secret, in base64url without padding (43 characters). */
export type KeyedDigest = (text: string) => string;

/** The block of SHA-256, in bytes. */
const BLOCK = 64;
const DIGEST = 32;
const INNER = 0x36;
const OUTER = 0x5c;
/** Up to this many bytes of text have their place already. */
const SHORT = 256;

/** Two hashes of bytes that lie ready, each made in one call: half of what the objects of `createHmac` cost for a short text. */
export function keyedDigest(secret: string): KeyedDigest {
  const given = Buffer.from(secret);
  const key = Buffer.alloc(BLOCK);
  key.set(given.length > BLOCK ? hash('sha256', given, 'buffer') : given);
  const inner = withRoom(key, INNER, SHORT);
  const outer = withRoom(key, OUTER, DIGEST);
  return (text) => {
    const bytes = Buffer.byteLength(text);
    const message = bytes > SHORT ? withRoom(key, INNER, bytes) : inner.subarray(0, BLOCK + bytes);
    message.write(text, BLOCK);
    outer.write(hash('sha256', message, 'latin1'), BLOCK, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}

function withRoom(key: Buffer, pad: number, bytes: number): Buffer {
  return Buffer.concat([key.map((byte) => byte ^ pad), Buffer.alloc(bytes)]);
}
