import type { Clock } from '../../platform/time/clock.ts';
import { UsageError } from '../../platform/errors.ts';
import { unixMs, type Instant } from '../../platform/time/instant.ts';
import { changeDocumentFor } from '../../stores/documents/change.ts';
import { newVersion, type Documents } from '../../stores/documents/port.ts';
import { instantAt } from '../keys/changes.ts';
import type { KeyDigest } from '../keys/format.ts';
import { untilAnswered, writeUntilAnswered } from '../write-until-answered.ts';
import { INVITATIONS } from './collections.ts';
import { sweepExpired } from './sweep.ts';
import { digestOfLink, newLinkToken } from './tokens.ts';

/**
 * One-time links: open --used, by one browser alone--> used; open --its time is over--> expired. Looking at one changes
 * nothing.
 */
export interface Invitations {
  /** @throws {UsageError} where nobody could be invited for so long. */
  create(account: string, forMs: number): Promise<Invitation>;
  /** Uses a link up. Of any number who try, one is told `used`; a repetition after a lost answer is told `spent`. */
  use(token: string): Promise<UsedLink>;
}

export interface Invitation {
  /** `cat_link_` and 43 letters or digits; in the answer and nowhere else. */
  readonly token: string;
  readonly account: string;
  readonly expiresAt: Instant;
}

export type UsedLink = { readonly outcome: 'used'; readonly account: string } | OpensNothing;

/** What is told of a link that opens nothing. */
export interface OpensNothing {
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
/** How long what became of a link can be told. */
const KEPT_MS = 7 * 86_400_000;

export function createInvitations(documents: Documents, clock: Clock, digest: KeyDigest): Invitations {
  return {
    async create(account, forMs) {
      if (!Number.isSafeInteger(forMs) || forMs < 60_000 || forMs > LONGEST_INVITATION_MS)
        throw new UsageError('A one-time link works for 1 minute to 7 days.');
      const now = await documents.now();
      await sweepExpired(documents, INVITATIONS.name, instantAt(now - KEPT_MS));
      const token = newLinkToken();
      const body: InvitationBody = {
        account,
        created_at: instantAt(now),
        expires_at: instantAt(now + forMs),
        used_at: null,
      };
      const id = digestOfLink(token, digest) ?? '';
      await writeUntilAnswered(documents, clock, INVITATIONS.name, [
        { id, read: null, version: newVersion(), body },
      ]);
      return { token, account, expiresAt: body.expires_at };
    },

    async use(token) {
      const id = digestOfLink(token, digest);
      if (id === null) return { outcome: 'unknown' };
      const now = await documents.now();
      const store = untilAnswered(documents, clock);
      return await changeDocumentFor<InvitationBody, UsedLink>(store, INVITATIONS.name, id, (stored) => {
        if (!stored) return { body: null, result: { outcome: 'unknown' } };
        const { account, used_at: usedAt, expires_at: expiresAt } = stored.body;
        if (usedAt !== null) return { body: null, result: { outcome: 'spent' } };
        if (unixMs(expiresAt) <= now) return { body: null, result: { outcome: 'expired' } };
        return { body: { ...stored.body, used_at: instantAt(now) }, result: { outcome: 'used', account } };
      });
    },
  };
}
