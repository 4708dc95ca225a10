import type { CollectionSpec } from '../../stores/documents/port.ts';

/**
 * What account pages keep, beside the accounts and their keys. The API reads none of it, and may write none of it nor of those
 * (docs/security.md).
 */

/** Who is signed in: one document for each session, under the digest of its token. */
export const SESSIONS: CollectionSpec = { name: 'sessions', indexes: [['expires_at'], ['account']] };

/** One-time links, under the digests of their tokens. */
export const INVITATIONS: CollectionSpec = { name: 'invitations', indexes: [['expires_at']] };

/** What has been done to an account, and how. */
export const AUDIT: CollectionSpec = { name: 'account-audit', indexes: [['account', '-at']] };

/** Identities of a provider that have joined an account other than their own, under their digests. */
export const IDENTITIES: CollectionSpec = { name: 'identities', indexes: [['account']] };

export const ACCOUNT_COLLECTIONS = [SESSIONS, INVITATIONS, AUDIT, IDENTITIES] as const;
