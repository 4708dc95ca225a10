import { changeDocument, changeDocumentFor, readDocument } from './documents/change-document.ts';
import type { CollectionSpec, Documents } from './documents/port.ts';

/**
 * The lease of a search index: one feeder works at it, the others stand by. It saves work and is no lock: two feeders
 * that both believe they have it end in the same index. The documents store's clock is the only one that it knows.
 *
 * What is said of the index stands in the very document that says whose it is, so that one guard fences both: a feeder
 * that has slept over its lease can say nothing of the index any more but that it may have changed. Every change is one
 * write under that guard.
 */
export interface FeedLease {
  readonly owner: string;
  /** Unix milliseconds. */
  readonly until: number;
  /** Since when the index has not been known to be up to date, Unix milliseconds; null where it is. */
  readonly behind_since: number | null;
  /** What keeps the owner from feeding, one line for people; null where nothing does. */
  readonly trouble: string | null;
  /**
   * The seal of the index that has been told of everything (`Search.seal`). An index without it is not that one: it was
   * lost, emptied, or restored from a backup. null during a backfill.
   */
  readonly seal: string | null;
  /**
   * Another one soon after each change of the index, whoever made it: what was asked while it was the same is still so. null
   * where it is not known.
   */
  readonly content_version: string | null;
}

export const FEED_LEASES: CollectionSpec = { name: 'leases', indexes: [] };

/** The lease as it stands; null before the first feeder. */
export async function readFeedLease(
  documents: Pick<Documents, 'get'>,
  index: string,
): Promise<FeedLease | null> {
  return (await readDocument<FeedLease>(documents, FEED_LEASES.name, index))?.body ?? null;
}

/**
 * Whether an index is being backfilled: newly made, or found to be another one than was left, and not yet told of
 * everything. What it finds is a part of what there is, and would pass for all of it; so it is not asked.
 */
export async function isBackfilling(documents: Pick<Documents, 'get'>, index: string): Promise<boolean> {
  return !(await readFeedLease(documents, index))?.seal;
}

interface FeedLeaseOptions {
  readonly owner: string;
  readonly leaseMs: number;
  /** What the owner knows of it; undefined where it knows nothing. That, and a new owner, goes on with what was known. */
  readonly behindSince: number | null | undefined;
  readonly trouble: string | null;
  /**
   * Whether the owner has been working since it took it. Then the lease is taken from nobody, even where another's has ended: what
   * the owner knows of the index may no longer be so.
   */
  readonly isRenewal: boolean;
}

export type FeedLeaseOutcome =
  /** `now` is the store's time. */
  | { readonly outcome: 'held'; readonly lease: FeedLease; readonly now: number }
  | { readonly outcome: 'taken' };

/**
 * Takes the lease, where nobody has it or its owner is heard of no more, or prolongs one's own. `taken` where another feeder
 * has it. Safe to repeat, and beside `changeSeal`: where somebody was faster, it looks again.
 */
export async function takeFeedLease(
  documents: Documents,
  index: string,
  { owner, leaseMs, behindSince, trouble, isRenewal }: FeedLeaseOptions,
): Promise<FeedLeaseOutcome> {
  return await changeDocumentFor<FeedLease, FeedLeaseOutcome>(
    documents,
    FEED_LEASES.name,
    index,
    async (stored) => {
      const now = await documents.now();
      const held = stored?.body;
      const isOwn = held?.owner === owner;
      if (!isOwn && (isRenewal || (held && isRunning(held, now, leaseMs))))
        return { body: null, result: { outcome: 'taken' } };
      const known = held?.behind_since ?? null;
      const behind = !isOwn || behindSince === undefined ? known : behindSince;
      const lease: FeedLease = {
        owner,
        until: now + leaseMs,
        // The store's clock was put back since.
        behind_since: behind === null ? null : Math.min(behind, now),
        trouble,
        seal: held?.seal ?? null,
        // A feeder of an earlier release, which names none, may have changed the index in between.
        content_version: isOwn ? (held.content_version ?? null) : null,
      };
      return { body: lease, result: { outcome: 'held', lease, now } };
    },
  );
}

/** Says by which seal the index is known from now on. False where the lease is somebody else's by now. */
export async function changeSeal(
  documents: Documents,
  index: string,
  owner: string,
  seal: string | null,
): Promise<boolean> {
  return await changeDocumentFor<FeedLease, boolean>(documents, FEED_LEASES.name, index, (stored) => {
    if (stored?.body.owner !== owner) return { body: null, result: false };
    // Its owner may be prolonging it at the same time.
    if (stored.body.seal === seal) return { body: null, result: true };
    // Without a seal it may be another index.
    const content_version = seal === null ? null : stored.body.content_version;
    return { body: { ...stored.body, seal, content_version }, result: true };
  });
}

/**
 * Says that the index may have been changed. Anybody who has changed it says so, whoever has the lease by now. `nonce` gives
 * another text each time: one that was written before must not come back.
 */
export async function changeContentVersion(
  documents: Documents,
  index: string,
  nonce: () => string,
): Promise<void> {
  await changeDocument<FeedLease>(documents, FEED_LEASES.name, index, (stored) =>
    stored ? { ...stored.body, content_version: nonce() } : null,
  );
}

/** Lets another feeder have it at once. Nothing is changed where the lease is somebody else's by now. */
export async function releaseFeedLease(documents: Documents, index: string, owner: string): Promise<void> {
  await changeDocument<FeedLease>(documents, FEED_LEASES.name, index, (stored) =>
    stored?.body.owner === owner ? { ...stored.body, until: 0 } : null,
  );
}

/** One that ends later than anybody could have said is of a time before the store's clock was put back. */
function isRunning({ until }: FeedLease, now: number, leaseMs: number): boolean {
  return until > now && until <= now + 2 * leaseMs;
}
