import { randomUUID } from 'node:crypto';

import { instantAt, type Instant } from '../../platform/time/instant.ts';
import { replaceDocument } from '../../stores/documents/change.ts';
import type { CollectionSpec, Documents, Stored } from '../../stores/documents/port.ts';

/** What has been done to an account: by its holder on the pages, or by an operator. Neither addresses nor names stand in it. */
export const AUDIT: CollectionSpec = { name: 'account-audit', indexes: [['account', '-at']] };

export type AuditAction =
  | 'invited'
  | 'signed_in'
  | 'signed_out'
  | 'sessions_ended'
  | 'identity_joined'
  | 'key_created'
  | 'key_named'
  | 'key_rotated'
  | 'key_revoked';

export interface AuditNote {
  readonly action: AuditAction;
  /** The key that it was done to. */
  readonly keyId?: string;
  /** The name of the session that did it; absent for an operator. */
  readonly session?: string;
}

/** As it is stored. */
export interface AuditEntry {
  readonly account: string;
  readonly at: Instant;
  readonly action: AuditAction;
  readonly key_id: string | null;
  readonly session: string | null;
}

/** Entries that are kept of an account. */
const KEPT = 200;
/** More than concurrent notes leave behind; the next one takes the rest. */
const SWEPT = 50;

export async function noteAction(
  documents: Documents,
  account: string,
  { action, keyId, session }: AuditNote,
): Promise<void> {
  const at = instantAt(await documents.now());
  const body: AuditEntry = { account, at, action, key_id: keyId ?? null, session: session ?? null };
  await replaceDocument(documents, AUDIT.name, { id: `${account}/${randomUUID()}` }, body);
  const newest = await newestNotes(documents, account, KEPT + SWEPT);
  const old = newest.slice(KEPT).map(({ id, version }) => ({ id, read: version }));
  if (old.length > 0) await documents.remove(AUDIT.name, old);
}

/** The newest first. */
export async function newestNotes(
  documents: Documents,
  account: string,
  limit: number,
): Promise<readonly Stored<AuditEntry>[]> {
  const query = { where: { account }, order: ['-at'], limit };
  return (await documents.find<AuditEntry>(AUDIT.name, query)).documents;
}
