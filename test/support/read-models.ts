import type { CloudEvent } from '../../src/events/envelope.ts';
import { applyEvents } from '../../src/projecting/engine/apply-events.ts';
import {
  collectionOf,
  collectionSpec,
  indexOf,
  type Projection,
  type ReadModelDocument,
} from '../../src/projecting/engine/projection.ts';
import { newVersion, type Documents, type Stored, type Write } from '../../src/stores/documents/port.ts';
import { FEED_LEASES, type FeedLease } from '../../src/stores/feed-lease.ts';
import { claimVersion } from '../../src/stores/claim-version.ts';
import { LAGS, noteLag } from '../../src/stores/lag-notes.ts';
import { SUMMARIES } from '../../src/monitor/reading/stored-hour-summaries.ts';
import { documentsWithMark } from '../../src/stores/outbox.ts';
import type { Search } from '../../src/stores/search/port.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { decoded } from './events.ts';
import { putDocument } from './documents.ts';

/** Read models without a log: what a projector and a search feed would have made of events, when a test says so. */

/** Folds events into the documents of one projection, with the marks of the outbox. Throws where a fold fails. */
export async function foldEvents(
  documents: Documents,
  projection: Projection,
  events: readonly CloudEvent[],
): Promise<void> {
  const applied = await applyEvents(projection, events.map(decoded), {
    documents,
    retry: async (_what, work) => await work(),
    pause: async () => undefined,
  });
  const failed = applied.find(({ kind }) => kind === 'failed');
  if (failed) throw new Error('An event could not be folded', { cause: failed });
}

/** All read models of this release in a store, each live, and what folds events into them. */
export interface Folded {
  /** Folds events into documents, as the projector would, and says that nothing is left to be folded. */
  readonly project: (...events: readonly CloudEvent[]) => Promise<void>;
  /** Folds events into documents alone: the index is behind until it is fed. */
  readonly fold: (...events: readonly CloudEvent[]) => Promise<void>;
  readonly feed: () => Promise<void>;
}

export async function openFolded(
  store: Documents,
  index: Search,
  clock: Pick<Clock, 'now'>,
): Promise<Folded> {
  for (const collection of [FEED_LEASES, LAGS, SUMMARIES]) await store.declare(collection);
  for (const projection of PROJECTIONS) {
    const collection = collectionOf(projection);
    await store.declare(collectionSpec(projection));
    const { name, version } = projection;
    await claimVersion(store, { name, version, collection, index: indexOf(projection), fold: 'test' });
  }
  const folded: Folded = {
    async project(...events) {
      await folded.fold(...events);
      await folded.feed();
      const said = { at: clock.now(), notWithinMs: 0, measure: async () => 0 };
      for (const projection of PROJECTIONS) await noteLag(store, collectionOf(projection), said);
    },
    async fold(...events) {
      for (const projection of PROJECTIONS) await foldEvents(store, projection, events);
    },
    async feed() {
      for (const projection of PROJECTIONS)
        if (projection.searchEntry) await feedIndex(store, index, projection);
    },
  };
  return folded;
}

/** Tells the index of a projection what its marked documents ask for, and clears the marks. */
export async function feedIndex(documents: Documents, search: Search, projection: Projection): Promise<void> {
  const collection = collectionOf(projection);
  await search.declare(collection);
  const entryOf = ({ id, body }: Stored<ReadModelDocument>) => projection.searchEntry?.(id, body.view) ?? [];
  for (const mark of ['put', 'remove', 'confirm'] as const) {
    for await (const page of documentsWithMark<ReadModelDocument>(documents, collection, [mark])) {
      const ids = page.map(({ id }) => id);
      if (mark === 'put') await search.put(collection, page.flatMap(entryOf));
      else await search.remove(collection, ids);
      await documents.write(collection, page.map(withoutMark));
    }
  }
  await search.seal(collection, 'fed', []);
  await putFeedLease(documents, collection, 'fed');
}

/** As a feeder leaves it that has told the index of everything under this seal; null while the index is being filled. */
export async function putFeedLease(documents: Documents, index: string, seal: string | null): Promise<void> {
  await documents.declare(FEED_LEASES);
  const lease: FeedLease = {
    owner: 'test',
    until: 0,
    behind_since: null,
    trouble: null,
    seal,
    content_version: null,
  };
  await putDocument(documents, FEED_LEASES.name, index, lease);
}

function withoutMark({ id, version, body }: Stored<ReadModelDocument>): Write<ReadModelDocument> {
  const { dirty: _told, ...others } = body;
  return { id, read: version, version: newVersion(), body: others };
}
