import { newVersion, type CollectionSpec, type Documents } from '../../stores/documents/port.ts';

/**
 * The lease of a search index: one feeder works at it, the others stand by. It saves work and is no lock: two feeders
 * that both believe they have it end in the same index. The documents store's clock is the only one that it knows.
 */
export interface Lease {
  readonly owner: string;
  /** Unix milliseconds. */
  readonly until: number;
  /** Since when the index has not been known to be up to date, Unix milliseconds; null where it is. */
  readonly behind_since: number | null;
  /** What keeps the owner from feeding, one line for people; null where nothing does. */
  readonly trouble: string | null;
}

export const LEASES: CollectionSpec = { name: 'leases', indexes: [] };

export interface LeaseOptions {
  readonly owner: string;
  readonly leaseMs: number;
  /** What the owner knows of it. A new owner goes on with what the last one knew. */
  readonly behindSince: number | null;
  readonly trouble: string | null;
}

export type Leased =
  /** `now` is the store's time. */
  | { readonly outcome: 'held'; readonly isNew: boolean; readonly lease: Lease; readonly now: number }
  | { readonly outcome: 'taken' };

/** Takes the lease, or prolongs it. `taken` where another feeder has it. Safe to repeat. */
export async function takeLease(
  documents: Documents,
  index: string,
  { owner, leaseMs, behindSince, trouble }: LeaseOptions,
): Promise<Leased> {
  const now = await documents.now();
  const stored = (await documents.get<Lease>(LEASES.name, [index])).get(index);
  const isNew = stored?.body.owner !== owner;
  if (stored && isNew && stored.body.until > now) return { outcome: 'taken' };
  const behind = isNew ? (stored?.body.behind_since ?? null) : behindSince;
  const lease: Lease = { owner, until: now + leaseMs, behind_since: behind, trouble };
  const write = { id: index, read: stored?.version ?? null, version: newVersion(), body: lease };
  const [outcome] = await documents.write(LEASES.name, [write]);
  return outcome === 'done' ? { outcome: 'held', isNew, lease, now } : { outcome: 'taken' };
}

/** Lets another feeder have it at once. Nothing is changed where the lease is somebody else's by now. */
export async function releaseLease(documents: Documents, index: string, owner: string): Promise<void> {
  const stored = (await documents.get<Lease>(LEASES.name, [index])).get(index);
  if (stored?.body.owner !== owner) return;
  const body: Lease = { ...stored.body, until: 0 };
  await documents.write(LEASES.name, [{ id: index, read: stored.version, version: newVersion(), body }]);
}

/** The lease as it stands, for reports; null before the first feeder. */
export async function readLease(documents: Documents, index: string): Promise<Lease | null> {
  return (await documents.get<Lease>(LEASES.name, [index])).get(index)?.body ?? null;
}
