import { createHmac, timingSafeEqual } from 'node:crypto';

import { PermanentError, UsageError } from '../../platform/errors.ts';

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

/**
 * A secret for something else than keys, which every instance under this pepper has: 43 characters. It tells nothing of the
 * pepper, nor of the secret for another purpose.
 */
export function secretFor(purpose: string, digest: KeyDigest): string {
  // No key looks like this, so no secret is the digest of one.
  return digest(`purpose: ${purpose}`);
}

/** Whether two digests are the same, in a time that does not depend on where they differ. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
