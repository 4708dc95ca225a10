import type { CollectionSpec, Documents } from './documents/port.ts';

/**
 * The lease of a search index: one feeder works at it, the others stand by. It saves work and is no lock: two feeders
 * that both believe they have it end in the same index. The documents store's clock is the only one that it knows.
 *
 * What is said of the index stands in the very document that says whose it is, so that one guard fences both: a feeder
 * that has slept over its lease can say nothing of the index any more.
 */
export interface Lease {
  readonly owner: string;
  /** Unix milliseconds. */
  readonly until: number;
  /** Since when the index has not been known to be up to date, Unix milliseconds; null where it is. */
  readonly behind_since: number | null;
  /** What keeps the owner from feeding, one line for people; null where nothing does. */
  readonly trouble: string | null;
  /**
   * The seal of the index that has been told of everything (`Search.seal`). An index without it is not that one: it was
   * lost, emptied, or restored from a backup. null while the index is being filled.
   */
  readonly seal: string | null;
}

export const LEASES: CollectionSpec = { name: 'leases', indexes: [] };

/** The lease as it stands; null before the first feeder. */
export async function readLease(documents: Pick<Documents, 'get'>, index: string): Promise<Lease | null> {
  return (await documents.get<Lease>(LEASES.name, [index])).get(index)?.body ?? null;
}

/** The seal by which the complete index is known; null while it is being filled, and before the first feeder. */
export async function sealOf(documents: Pick<Documents, 'get'>, index: string): Promise<string | null> {
  return (await readLease(documents, index))?.seal ?? null;
}

/**
 * Whether an index is being filled: made anew, or found to be another one than was left, and not yet told of everything.
 * What such an index finds is a part of what there is, and would pass for all of it; so it is not asked.
 */
export async function isFilling(documents: Pick<Documents, 'get'>, index: string): Promise<boolean> {
  return (await sealOf(documents, index)) === null;
}
