import { randomUUID } from 'node:crypto';

import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { instantAt, type Instant } from '../../platform/time/instant.ts';
import { replaceDocument } from '../../stores/documents/change-document.ts';
import type { CollectionSpec, Documents, Stored } from '../../stores/documents/port.ts';

/** What has been done to an account: by its holder on the pages, or by an operator. Neither addresses nor names stand in it. */
export const AUDIT: CollectionSpec = { name: 'account-audit', indexes: [['account', '-at']] };

export interface AuditNote {
  readonly action:
    | 'invited'
    | 'signed_in'
    | 'signed_out'
    | 'sessions_ended'
    | 'identity_joined'
    | 'key_created'
    | 'key_named'
    | 'key_rotated'
    | 'key_revoked';
  /** The key that it was done to. */
  readonly keyId?: string;
  /** The name of the session that did it; absent for an operator. */
  readonly session?: string;
}

/** As it is stored. */
export interface AuditEntry extends Pick<AuditNote, 'action'> {
  readonly account: string;
  readonly at: Instant;
  readonly key_id: string | null;
  readonly session: string | null;
}

/** Entries that are kept of an account. */
const KEPT = 200;
/** More than concurrent notes leave behind; the next one takes the rest. */
const SWEPT = 50;

export function createAudit(documents: Documents, logger: Logger | undefined) {
  return {
    /** Notes what was done. A note that cannot be written is told to the log: what was done is done. */
    async note(account: string, { action, keyId, session }: AuditNote): Promise<void> {
      try {
        const at = instantAt(await documents.now());
        const body: AuditEntry = { account, at, action, key_id: keyId ?? null, session: session ?? null };
        await replaceDocument(documents, AUDIT.name, { id: `${account}/${randomUUID()}` }, body);
        const old = (await newest(account, KEPT + SWEPT)).slice(KEPT);
        const removals = old.map(({ id, version }) => ({ id, read: version }));
        if (removals.length > 0) await documents.remove(AUDIT.name, removals);
      } catch (thrown) {
        logger?.warn({ account, action, reason: messageOf(thrown) }, 'an audit note was not written');
      }
    },

    /** What was done to an account, the newest first. Throws the store's errors. */
    async history(account: string, limit: number): Promise<readonly AuditEntry[]> {
      return (await newest(account, limit)).map(({ body }) => body);
    },
  };

  async function newest(account: string, limit: number): Promise<readonly Stored<AuditEntry>[]> {
    const query = { where: { account }, order: ['-at'], limit };
    return (await documents.find<AuditEntry>(AUDIT.name, query)).documents;
  }
}
