import type { Documents } from '../../stores/documents/port.ts';

/** More than a moment leaves behind; the next sweep takes the rest. */
const AT_ONCE = 100;

/** Removes documents that ended before an instant. Those that somebody changes meanwhile stay for the next sweep. */
export async function sweepExpired(documents: Documents, collection: string, before: string): Promise<void> {
  const found = await documents.find(collection, {
    where: { expires_at: { lt: before } },
    order: ['expires_at'],
    limit: AT_ONCE,
  });
  if (found.documents.length === 0) return;
  await documents.remove(
    collection,
    found.documents.map(({ id, version }) => ({ id, read: version })),
  );
}
