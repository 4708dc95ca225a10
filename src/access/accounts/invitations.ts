import { UsageError } from '../../platform/errors.ts';
import { instantAt, unixMs, type Instant } from '../../platform/time/instant.ts';
import { changeDocumentFor } from '../../stores/documents/change-document.ts';
import type { CollectionSpec, Documents } from '../../stores/documents/port.ts';
import type { KeyDigest } from '../keys/key-format.ts';
import { createTokens, type TokenKind } from './tokens.ts';

/** One-time links, under the digests of their tokens. */
export const INVITATIONS: CollectionSpec = { name: 'invitations', indexes: [['expires_at']] };

export interface Invitation {
  /** `cat_link_` and 43 letters or digits; in the answer and nowhere else. */
  readonly token: string;
  readonly expiresAt: Instant;
}

export type LinkResult = { readonly outcome: 'used'; readonly account: string } | DeadLink;

/** What is told of a link that opens nothing. */
export interface DeadLink {
  readonly outcome: 'unknown' | 'expired' | 'spent';
}

interface InvitationBody {
  readonly account: string;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly used_at: Instant | null;
}

/** A link that nobody opens within a week was meant for nobody. */
export const LONGEST_INVITATION_MS = 7 * 86_400_000;
const KIND: TokenKind = {
  collection: INVITATIONS.name,
  purpose: 'link',
  prefix: 'cat_link_',
  // So long can be told what became of it.
  keptMs: 7 * 86_400_000,
};

/**
 * One-time links: open --used, by one browser alone--> used; open --its time is over--> expired. Looking at one changes
 * nothing.
 */
export function createInvitations(documents: Documents, digest: KeyDigest) {
  const tokens = createTokens(documents, digest, KIND);

  return {
    /** @throws {UsageError} where nobody could be invited for so long. */
    async create(account: string, forMs: number): Promise<Invitation> {
      if (!Number.isSafeInteger(forMs) || forMs < 60_000 || forMs > LONGEST_INVITATION_MS)
        throw new UsageError('A one-time link works for 1 minute to 7 days.');
      const now = await documents.now();
      const expiresAt = instantAt(now + forMs);
      const body = { account, created_at: instantAt(now), expires_at: expiresAt, used_at: null };
      const { token } = await tokens.issue(body, now);
      return { token, expiresAt };
    },

    /** Uses a link up. Of any number who try, one is told `used`; a repetition after a lost answer is told `spent`. */
    async use(token: string): Promise<LinkResult> {
      const id = tokens.idOf(token);
      if (id === null) return { outcome: 'unknown' };
      const now = await documents.now();
      return await changeDocumentFor<InvitationBody, LinkResult>(
        documents,
        INVITATIONS.name,
        id,
        (stored) => {
          if (!stored) return { body: null, result: { outcome: 'unknown' } };
          const { account, used_at: usedAt, expires_at: expiresAt } = stored.body;
          if (usedAt !== null) return { body: null, result: { outcome: 'spent' } };
          if (unixMs(expiresAt) <= now) return { body: null, result: { outcome: 'expired' } };
          return { body: { ...stored.body, used_at: instantAt(now) }, result: { outcome: 'used', account } };
        },
      );
    },
  };
}
