import type { Clock } from '../../platform/clock.ts';
import { UsageError } from '../../platform/errors.ts';
import { unixMs, type Instant } from '../../platform/instant.ts';
import { newVersion, type Documents } from '../../stores/documents/port.ts';
import { instantAt } from '../keys/changes.ts';
import type { KeyDigest } from '../keys/format.ts';
import { writeUntilAnswered } from '../write-until-answered.ts';
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
      const stored =
        id === null ? undefined : (await documents.get<InvitationBody>(INVITATIONS.name, [id])).get(id);
      if (!stored) return { outcome: 'unknown' };
      if (stored.body.used_at !== null) return { outcome: 'spent' };
      const now = await documents.now();
      if (unixMs(stored.body.expires_at) <= now) return { outcome: 'expired' };
      const body: InvitationBody = { ...stored.body, used_at: instantAt(now) };
      const [outcome] = await writeUntilAnswered(documents, clock, INVITATIONS.name, [
        { id: stored.id, read: stored.version, version: newVersion(), body },
      ]);
      return outcome === 'done' ? { outcome: 'used', account: body.account } : { outcome: 'spent' };
    },
  };
}
