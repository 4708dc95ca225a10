import { RetryableError } from '../../src/platform/errors.ts';
import { CHECKPOINTS } from '../../src/projecting/engine/lane.ts';
import type { Documents, Write } from '../../src/stores/documents/port.ts';
import { FEED_LEASES, type FeedLease } from '../../src/stores/feed-lease.ts';
import type { OutboxDocument } from '../../src/stores/outbox.ts';

/** Stores of documents that do what a planted bug would do. */

/** Reads the version at the moment of the write, as a store without conditions would. */
export function withoutGuard(documents: Documents, guarded: string): Documents {
  return {
    ...documents,
    write: async (collection, writes) => {
      if (collection !== guarded) return documents.write(collection, writes);
      const versions = await documents.versions(
        collection,
        writes.map(({ id }) => id),
      );
      return documents.write(
        collection,
        writes.map((write) => ({ ...write, read: versions.get(write.id) ?? null })),
      );
    },
  };
}

/** Says that it has written, and writes after the next checkpoint. */
export function writingLate(documents: Documents, late: string): Documents {
  const postponed: (() => Promise<unknown>)[] = [];
  return {
    ...documents,
    write: async (collection, writes) => {
      if (collection === late) {
        postponed.push(() => documents.write(collection, writes));
        return writes.map(() => 'done');
      }
      const outcomes = await documents.write(collection, writes);
      for (const write of postponed.splice(0)) await write().catch(() => undefined);
      return outcomes;
    },
  };
}

export function neverConflicting(documents: Documents): Documents {
  return {
    ...documents,
    write: async (collection, writes) => {
      const outcomes = await documents.write(collection, writes);
      return collection === CHECKPOINTS.name ? outcomes : outcomes.map(() => 'done');
    },
  };
}

/** Takes a removal for final as soon as it is acknowledged. */
export function withoutConfirming(documents: Documents): Documents {
  const final = <Body>(write: Write<Body>): Write<Body> => {
    const { dirty, ...body } = write.body as OutboxDocument;
    return dirty?.mark === 'confirm' ? { ...write, body: body as Body } : write;
  };
  return { ...documents, write: (collection, writes) => documents.write(collection, writes.map(final)) };
}

/** Changes of an index leave its content version as it was. */
export function withoutContentVersions(documents: Documents): Documents {
  return changing(documents, FEED_LEASES.name, async (write: Write<FeedLease>) => {
    const stored = await documents.get<FeedLease>(FEED_LEASES.name, [write.id]);
    const known = stored.get(write.id)?.body.content_version ?? null;
    return known === null ? write : { ...write, body: { ...write.body, content_version: known } };
  });
}

/** Writes something else to one collection. */
export function changing<Body>(
  documents: Documents,
  changed: string,
  change: (write: Write<Body>) => Promise<Write<Body>>,
): Documents {
  return {
    ...documents,
    write: async (collection, writes, options) => {
      if (collection !== changed) return documents.write(collection, writes, options);
      const others = await Promise.all((writes as Write<never>[]).map(change));
      return documents.write(collection, others, options);
    },
  };
}

export function trustingEveryRead(documents: Documents): Documents {
  return { ...documents, versions: (collection, ids) => documents.versions(collection, ids) };
}

/** What failed is left alone, as by a lane that has halted. */
export function neverTryingAgain(documents: Documents): Documents {
  return {
    ...documents,
    write: (collection, writes, options) =>
      documents.write(collection, writes, options).catch((thrown: unknown) => {
        if (thrown instanceof RetryableError) throw thrown;
        return new Promise<never>(() => undefined);
      }),
  };
}
