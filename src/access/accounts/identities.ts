import type { Clock } from '../../platform/time/clock.ts';
import { changeDocument } from '../../stores/documents/change.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { KeyDigest } from '../keys/format.ts';
import { untilAnswered } from '../write-until-answered.ts';
import { IDENTITIES } from './collections.ts';

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

export function createIdentities(documents: Documents, clock: Clock, digest: KeyDigest): Identities {
  // JSON, so that no two pairs read alike. Account names have no capital letters.
  const idOf = ({ issuer, subject }: Identity) =>
    Buffer.from(digest(`identity: ${JSON.stringify([issuer, subject])}`), 'base64url').toString('hex');
  const read = async (id: string) =>
    (await documents.get<{ readonly account: string }>(IDENTITIES.name, [id])).get(id);

  return {
    async accountOf(identity) {
      const id = idOf(identity);
      return (await read(id))?.body.account ?? `oidc-${id.slice(0, 40)}`;
    },

    async join(identity, account) {
      await changeDocument<{ readonly account: string }>(
        untilAnswered(documents, clock),
        IDENTITIES.name,
        idOf(identity),
        (stored) => (stored?.body.account === account ? null : { account }),
      );
    },
  };
}
