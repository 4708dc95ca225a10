import { newVersion, type Documents, type Stored } from '../../stores/documents/port.ts';
import { LEASES, type Lease } from '../../stores/feed-lease.ts';

/** Taking, prolonging, changing and releasing the lease of a search index: each is one write under its guard. */

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
  const stored = await read(documents, index);
  const isNew = stored?.body.owner !== owner;
  if (stored && isNew && isRunning(stored.body, now, leaseMs)) return { outcome: 'taken' };
  const behind = isNew ? (stored?.body.behind_since ?? null) : behindSince;
  const lease: Lease = {
    owner,
    until: now + leaseMs,
    // The store's clock was put back since.
    behind_since: behind === null ? null : Math.min(behind, now),
    trouble,
    seal: stored?.body.seal ?? null,
  };
  const isWritten = await write(documents, index, stored, lease);
  return isWritten ? { outcome: 'held', isNew, lease, now } : { outcome: 'taken' };
}

/** Says by which seal the index is known from now on. False where the lease is somebody else's by now. */
export async function changeSeal(
  documents: Documents,
  index: string,
  owner: string,
  seal: string | null,
): Promise<boolean> {
  const stored = await read(documents, index);
  if (stored?.body.owner !== owner) return false;
  return stored.body.seal === seal || (await write(documents, index, stored, { ...stored.body, seal }));
}

/** Lets another feeder have it at once. Nothing is changed where the lease is somebody else's by now. */
export async function releaseLease(documents: Documents, index: string, owner: string): Promise<void> {
  const stored = await read(documents, index);
  if (stored?.body.owner === owner) await write(documents, index, stored, { ...stored.body, until: 0 });
}

/** One that ends later than anybody could have said is of a time before the store's clock was put back. */
function isRunning({ until }: Lease, now: number, leaseMs: number): boolean {
  return until > now && until <= now + 2 * leaseMs;
}

async function read(documents: Documents, index: string): Promise<Stored<Lease> | undefined> {
  return (await documents.get<Lease>(LEASES.name, [index])).get(index);
}

async function write(
  documents: Documents,
  index: string,
  stored: Stored<Lease> | undefined,
  body: Lease,
): Promise<boolean> {
  const one = { id: index, read: stored?.version ?? null, version: newVersion(), body };
  const [outcome] = await documents.write(LEASES.name, [one]);
  return outcome === 'done';
}
