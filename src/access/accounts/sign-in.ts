import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { keyDigest } from '../keys/key-format.ts';
import { checkAccountName } from '../keys/input-checks.ts';
import { AUDIT, type AuditNote, createAudit } from './audit.ts';
import { accountOfIdentity, IDENTITIES, type Identity, joinAccount } from './identities.ts';
import { createInvitations, INVITATIONS, type Invitation, type DeadLink } from './invitations.ts';
import { createSessions, type NewSession, SESSIONS } from './sessions.ts';

/**
 * What account pages keep, beside the accounts and their keys. The API reads none of it, and may write none of it nor of those
 * (docs/security.md).
 */
export const ACCOUNT_COLLECTIONS = [SESSIONS, INVITATIONS, AUDIT, IDENTITIES] as const;

/** Who may look after an account's keys on the pages. Every method may throw the store's errors. */
export type Accounts = ReturnType<typeof createAccounts>;

export type SignInResult = { readonly outcome: 'signed_in'; readonly session: NewSession } | DeadLink;

interface AccountsOptions {
  readonly documents: Documents;
  /** What tokens are digested under: a secret for this purpose, the same for all processes that serve accounts. */
  readonly secret: string;
  readonly logger?: Logger | undefined;
}

/** No account can be called so. */
const NOBODY = '/readiness';

export function createAccounts({ documents, secret, logger }: AccountsOptions) {
  const digest = keyDigest(secret);
  const sessions = createSessions(documents, digest);
  const invitations = createInvitations(documents, digest);
  const audit = createAudit(documents, logger);

  return {
    /** Declares the collections. Idempotent; before the first use of the others. */
    async declare(): Promise<void> {
      for (const collection of ACCOUNT_COLLECTIONS) await documents.declare(collection);
    },

    sessions,

    /** Does what a sign-in does, in small: opens a session of nobody, and ends it. Throws where nobody could sign in. */
    async prove(): Promise<void> {
      const { token } = await sessions.open(NOBODY, null);
      await sessions.end(token);
    },

    /**
     * A one-time link for an account, which need not have a key yet, as a token.
     * @throws {UsageError} where the name is not acceptable, or the time is not 1 minute to 7 days.
     */
    async invite(account: string, forMs: number): Promise<Invitation> {
      checkAccountName(account);
      const invitation = await invitations.create(account, forMs);
      await audit.note(account, { action: 'invited' });
      return invitation;
    },

    /** Signs in by a one-time link, which is used up by it, and ends the session of `before`. */
    async signInByLink(token: string, before: string | null): Promise<SignInResult> {
      const used = await invitations.use(token);
      return used.outcome === 'used' ? await signIn(used.account, before, ['signed_in']) : used;
    },

    /**
     * Signs an identity in to its account. With a one-time link, which is used up by it, it joins that link's account first, and
     * is signed in there from then on. Without one, whoever is signed in to that account already goes on with that session, so
     * that the pages of another tab stay theirs.
     */
    async signInByIdentity(
      identity: Identity,
      link: string | null,
      before: string | null,
    ): Promise<SignInResult> {
      if (link === null) {
        const account = await accountOfIdentity(documents, digest, identity);
        const held = before === null ? null : await sessions.find(before);
        if (before !== null && held?.account === account)
          return { outcome: 'signed_in', session: { ...held, token: before } };
        return await signIn(account, before, ['signed_in']);
      }
      const used = await invitations.use(link);
      if (used.outcome !== 'used') return used;
      await joinAccount(documents, digest, identity, used.account);
      return await signIn(used.account, before, ['identity_joined', 'signed_in']);
    },

    /** Ends a session. Idempotent. */
    async signOut(token: string): Promise<void> {
      const session = await sessions.find(token);
      await sessions.end(token);
      if (session) await audit.note(session.account, { action: 'signed_out', session: session.name });
    },

    ...audit,
  };

  /** Opens a session, and notes what was done with it. */
  async function signIn(
    account: string,
    before: string | null,
    done: readonly AuditNote['action'][],
  ): Promise<SignInResult> {
    const session = await sessions.open(account, before);
    for (const action of done) await audit.note(account, { action, session: session.name });
    return { outcome: 'signed_in', session };
  }
}
