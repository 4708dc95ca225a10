import type { Clock } from '../../platform/time/clock.ts';
import { removeAll } from '../../stores/documents/change.ts';
import { newVersion, type CollectionSpec, type Documents, type Stored } from '../../stores/documents/port.ts';
import { writeUntilAnswered } from '../write-until-answered.ts';

/**
 * Pointers: from a key's digest to the account that may list it. A pointer opens nothing by itself, so it is written
 * before the account and removed after it: a crash in between leaves a pointer to nothing, never a key without a
 * pointer, and never a place taken among an account's keys.
 */
export const KEYS: CollectionSpec = { name: 'keys', indexes: [['key_id']] };

interface Pointer {
  readonly key_id: string;
  readonly account: string;
}

export async function writePointer(
  documents: Documents,
  clock: Clock,
  digest: string,
  pointer: Pointer,
): Promise<void> {
  await writeUntilAnswered(documents, clock, KEYS.name, [
    { id: digest, read: null, version: newVersion(), body: pointer },
  ]);
}

export async function pointerOfDigest(documents: Documents, digest: string): Promise<Stored<Pointer> | null> {
  const found = await documents.get<Pointer>(KEYS.name, [digest]);
  return found.get(digest) ?? null;
}

export async function pointerOfId(documents: Documents, keyId: string): Promise<Stored<Pointer> | null> {
  const page = await documents.find<Pointer>(KEYS.name, { where: { key_id: keyId }, order: [], limit: 1 });
  return page.documents[0] ?? null;
}

/** Removes the pointers of digests. Idempotent. */
export async function removePointers(documents: Documents, digests: readonly string[]): Promise<void> {
  if (digests.length === 0) return;
  await removeAll(documents, KEYS.name, digests);
}
