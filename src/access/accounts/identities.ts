import { changeDocument, readDocument } from '../../stores/documents/change-document.ts';
import type { CollectionSpec, Documents } from '../../stores/documents/port.ts';
import type { KeyDigest } from '../keys/key-format.ts';

/** Identities of a provider that have joined an account other than their own, under their digests. */
export const IDENTITIES: CollectionSpec = { name: 'identities', indexes: [['account']] };

/** Somebody as a provider of OpenID Connect knows them: its issuer and their subject there. Never a name or an address. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

interface IdentityBody {
  readonly account: string;
}

/**
 * The account that an identity is signed in to: one of its own, named by a digest under the pepper, unless it has joined another
 * one by invitation.
 */
export async function accountOfIdentity(
  documents: Documents,
  digest: KeyDigest,
  identity: Identity,
): Promise<string> {
  const id = idOf(digest, identity);
  const joined = await readDocument<IdentityBody>(documents, IDENTITIES.name, id);
  return joined?.body.account ?? `oidc-${id.slice(0, 40)}`;
}

/** Joins an account; of several that it was invited to, the last one counts. */
export async function joinAccount(
  documents: Documents,
  digest: KeyDigest,
  identity: Identity,
  account: string,
): Promise<void> {
  await changeDocument<IdentityBody>(documents, IDENTITIES.name, idOf(digest, identity), () => ({ account }));
}

/** Of JSON, so that no two pairs read alike. Account names have no capital letters. */
function idOf(digest: KeyDigest, { issuer, subject }: Identity): string {
  return Buffer.from(digest(`identity: ${JSON.stringify([issuer, subject])}`), 'base64url').toString('hex');
}
