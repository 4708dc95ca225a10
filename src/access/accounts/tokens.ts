import { instantAt, type Instant } from '../../platform/time/instant.ts';
import { replaceDocument } from '../../stores/documents/change-document.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { randomBase62, type KeyDigest } from '../keys/key-format.ts';

/**
 * What opens a session or is a one-time link: random, shown to one browser or one person, and stored as a digest under the
 * pepper alone. So whoever reads the store has none of them, and whoever may write to it cannot plant one without the pepper.
 */
export interface TokenKind {
  /** Its documents have an index that begins with `expires_at`. */
  readonly collection: string;
  /** Digests of one purpose are none of another. */
  readonly purpose: 'session' | 'link';
  /** A beginning of its own, so that logs and terminals know it by its look. */
  readonly prefix: string;
  /** How long after its end it is kept. */
  readonly keptMs: number;
}

const RANDOM = /^[0-9A-Za-z]{43}$/;
/** More than a moment leaves behind; the next one takes the rest. */
const SWEPT_AT_ONCE = 100;

/** 43 x log2(62) = 256 bits. */
export function newToken(): string {
  return randomBase62(43);
}

export function createTokens(
  documents: Documents,
  digest: KeyDigest,
  { collection, purpose, prefix, keptMs }: TokenKind,
) {
  return {
    idOf,

    /** A document under a token that was never seen before. Removes some of those that ended so long ago that nobody asks. */
    async issue(body: { readonly expires_at: Instant }, now: number) {
      const where = { expires_at: { lt: instantAt(now - keptMs) } };
      const query = { where, order: ['expires_at'], limit: SWEPT_AT_ONCE };
      const { documents: ended } = await documents.find(collection, query);
      const removals = ended.map(({ id, version }) => ({ id, read: version }));
      if (removals.length > 0) await documents.remove(collection, removals);
      const token = `${prefix}${newToken()}`;
      const id = digest(`${purpose}: ${token}`);
      await replaceDocument(documents, collection, { id }, body);
      return { token, id };
    },
  };

  /** The id of a token's document; null for what has another form, so that no store is asked about it. */
  function idOf(token: string): string | null {
    const hasForm = token.startsWith(prefix) && RANDOM.test(token.slice(prefix.length));
    return hasForm ? digest(`${purpose}: ${token}`) : null;
  }
}
