import { changeDocument, readDocument } from '../../stores/documents/change.ts';
import type { CollectionSpec, Documents } from '../../stores/documents/port.ts';
import type { KeyDigest } from '../keys/format.ts';

/** Identities of a provider that have joined an account other than their own, under their digests. */
export const IDENTITIES: CollectionSpec = { name: 'identities', indexes: [['account']] };

/** Somebody as a provider of OpenID Connect knows them: its issuer and their subject there. Never a name or an address. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Which account an identity is signed in to: one of its own, named by a digest under the pepper, unless it has joined another
 * one by invitation.
 */
export interface Identities {
  accountOf(identity: Identity): Promise<string>;
  /** Joins an account; of several that it was invited to, the last one counts. */
  join(identity: Identity, account: string): Promise<void>;
}

export function createIdentities(documents: Documents, digest: KeyDigest): Identities {
  // JSON, so that no two pairs read alike. Account names have no capital letters.
  const idOf = ({ issuer, subject }: Identity) =>
    Buffer.from(digest(`identity: ${JSON.stringify([issuer, subject])}`), 'base64url').toString('hex');

  return {
    async accountOf(identity) {
      const id = idOf(identity);
      const joined = await readDocument<Joined>(documents, IDENTITIES.name, id);
      return joined?.body.account ?? `oidc-${id.slice(0, 40)}`;
    },

    async join(identity, account) {
      await changeDocument<Joined>(documents, IDENTITIES.name, idOf(identity), () => ({ account }));
    },
  };
}

interface Joined {
  readonly account: string;
}
