import type { Documents } from '../stores/documents/port.ts';
import { QUOTA, type QuotaDay } from './quota-counter.ts';

/** More days than a key leaves behind, unless sweeping has failed for months; the next sweep takes the rest. */
const AT_ONCE = 100;

/**
 * Removes a key's documents of the days before `keepFrom`. That must not be today: an instance whose idea of the time
 * is a moment behind still counts on yesterday, and would find a full day empty.
 */
export async function sweepQuota(documents: Documents, key: string, keepFrom: string): Promise<void> {
  const old = await documents.find<QuotaDay>(QUOTA.name, {
    where: { key, day: { lt: keepFrom } },
    order: ['day'],
    limit: AT_ONCE,
  });
  if (old.documents.length === 0) return;
  await documents.remove(
    QUOTA.name,
    old.documents.map(({ id, version }) => ({ id, read: version })),
  );
}
