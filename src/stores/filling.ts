import { newVersion, type CollectionSpec, type Documents } from './documents/port.ts';

/**
 * Which search indexes are being filled: made anew, or found empty, and not yet told of everything. What such an index
 * finds is a part of what there is, and would pass for all of it; so it is not asked.
 */
export const FILLINGS: CollectionSpec = { name: 'fillings', indexes: [] };

export async function isFilling(documents: Pick<Documents, 'versions'>, index: string): Promise<boolean> {
  return (await documents.versions(FILLINGS.name, [index])).has(index);
}

/** Before the index is made, so that nobody asks it meanwhile. Idempotent. */
export async function beginFilling(documents: Pick<Documents, 'write'>, index: string): Promise<void> {
  // A conflict: it is known already.
  await documents.write(FILLINGS.name, [{ id: index, read: null, version: newVersion(), body: {} }]);
}

/** Idempotent. */
export async function endFilling(
  documents: Pick<Documents, 'versions' | 'remove'>,
  index: string,
): Promise<void> {
  const read = (await documents.versions(FILLINGS.name, [index])).get(index);
  if (read !== undefined) await documents.remove(FILLINGS.name, [{ id: index, read }]);
}
