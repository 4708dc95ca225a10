import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { checkAccountName } from '../keys/accounts.ts';
import { keyDigest } from '../keys/format.ts';
import { type Audit, type AuditEntry, createAudit, type Done } from './audit.ts';
import { ACCOUNT_COLLECTIONS } from './collections.ts';
import { createInvitations, type Invitation } from './invitations.ts';
import { createSessions, type OpenedSession, type Sessions } from './sessions.ts';

/** Who may look after an account's keys on the pages. Every method may throw the store's errors. */
export interface Accounts {
  /** Declares the collections. Idempotent; before the first use of the others. */
  declare(): Promise<void>;

  readonly sessions: Pick<Sessions, 'find' | 'isFirst'>;

  /**
   * A one-time link for an account, which need not have a key yet, as a token.
   * @throws {UsageError} where the name is not acceptable, or the time is not 1 minute to 7 days.
   */
  invite(account: string, forMs: number): Promise<Invitation>;

  /** Signs in by a one-time link, which is used up by it, and ends the session of `before`. */
  signInByLink(token: string, before: string | null): Promise<SignedIn>;

  /** Ends a session. Idempotent. */
  signOut(token: string): Promise<void>;

  /** Ends all sessions of an account, and returns how many there were. */
  signOutAll(account: string): Promise<number>;

  /** Notes what was done. A note that cannot be written is told to the log: what was done is done. */
  note(account: string, done: Done): Promise<void>;

  /** What was done to an account, the newest first. */
  history(account: string, limit: number): Promise<readonly AuditEntry[]>;
}

export type SignedIn =
  | { readonly outcome: 'signed_in'; readonly session: OpenedSession }
  | { readonly outcome: 'unknown' | 'expired' | 'spent' };

interface AccountsOptions {
  readonly documents: Documents;
  /** What tokens are digested under: a secret for this purpose, the same for all processes that serve accounts. */
  readonly secret: string;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

export function createAccounts({ documents, secret, clock, logger }: AccountsOptions): Accounts {
  const digest = keyDigest(secret);
  const sessions = createSessions(documents, clock, digest);
  const invitations = createInvitations(documents, clock, digest);
  const audit: Audit = createAudit(documents, clock);

  const accounts: Accounts = {
    async declare() {
      for (const collection of ACCOUNT_COLLECTIONS) await documents.declare(collection);
    },

    sessions,

    async invite(account, forMs) {
      checkAccountName(account);
      const invitation = await invitations.create(account, forMs);
      await accounts.note(account, { action: 'invited' });
      return invitation;
    },

    async signInByLink(token, before) {
      const used = await invitations.use(token);
      if (used.outcome !== 'used') return { outcome: used.outcome };
      const session = await sessions.open(used.account, 'link', before);
      await accounts.note(used.account, { action: 'signed_in', session: session.name });
      return { outcome: 'signed_in', session };
    },

    async signOut(token) {
      const session = await sessions.find(token);
      await sessions.end(token);
      if (session) await accounts.note(session.account, { action: 'signed_out', session: session.name });
    },

    signOutAll: (account) => sessions.endAllOf(account),

    async note(account, done) {
      try {
        await audit.note(account, done);
      } catch (thrown) {
        logger?.warn(
          { account, action: done.action, reason: messageOf(thrown) },
          'an audit note was not written',
        );
      }
    },

    history: (account, limit) => audit.list(account, limit),
  };
  return accounts;
}
