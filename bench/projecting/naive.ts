import { listings } from '../../projections/listings/index.ts';
import type { ListingRegisters } from '../../projections/listings/document.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import { markAfter, withMark } from '../../src/projecting/engine/outbox-marks.ts';
import {
  collectionOf,
  collectionSpec,
  evolve,
  type ReadModelDocument,
} from '../../src/projecting/engine/projection.ts';
import { newVersion, type Documents } from '../../src/stores/documents/port.ts';
import type { Work } from './child.ts';

/** So many events tell enough of what is slow. */
const EVENTS = 6000;
const PROJECTION = { ...listings, build: 'naive' };

/** What somebody would write first: one event after the other, each with a guarded write that is waited for. */
export const naive: Work = async ({ log, documents, decode, topicName }) => {
  await documents.declare(collectionSpec(PROJECTION));
  const topics = PROJECTION.topics.map(topicName);
  return async () => {
    let events = 0;
    for (const topic of topics) {
      const partitions = await log.ends(topic);
      const each = Math.floor(EVENTS / topics.length / partitions.length);
      for (const { partition, earliest, latest } of partitions) {
        const range = { topic, partition, from: earliest, to: Math.min(latest, earliest + each) };
        for await (const { records } of log.read(range)) {
          for (const decoded of records.map(decode)) {
            if (decoded.outcome === 'event') await fold(documents, decoded.event);
            events += 1;
          }
        }
      }
    }
    return events;
  };
};

async function fold(documents: Documents, event: CatalogEvent): Promise<void> {
  const id = PROJECTION.documentId(event);
  if (id === null) return;
  const collection = collectionOf(PROJECTION);
  const stored = (await documents.get<ReadModelDocument<ListingRegisters>>(collection, [id])).get(id);
  const before = stored?.body.registers ?? PROJECTION.registers.empty;
  const registers = evolve(PROJECTION, before, event);
  if (registers === before) return;
  const view = PROJECTION.view(id, registers);
  const body = withMark({ registers, view }, markAfter(PROJECTION, id, stored?.body, view));
  await documents.write(collection, [{ id, read: stored?.version ?? null, version: newVersion(), body }]);
}
