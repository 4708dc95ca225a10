import { listings } from '../../projections/listings/index.ts';
import { collectionOf, collectionSpec } from '../../src/projecting/engine/projection.ts';
import { newVersion, type Write } from '../../src/stores/documents/port.ts';
import type { Work } from './work.ts';

/** As many documents at a time as the engine writes. */
const AT_ONCE = 1000;

/** The documents that a projector has made, into another collection with the same indexes: no log and no fold. */
export const bare: Work = async ({ documents }) => {
  const projection = { ...listings, build: 'bare' };
  const collection = collectionOf(projection);
  const writes: Write<unknown>[] = [];
  for await (const some of documents.scan(collectionOf(listings))) {
    for (const { id, body } of some) writes.push({ id, read: null, version: newVersion(), body });
  }
  await documents.declare(collectionSpec(projection));
  return async () => {
    for (let start = 0; start < writes.length; start += AT_ONCE)
      await documents.write(collection, writes.slice(start, start + AT_ONCE));
    return { events: 0, documents: writes.length };
  };
};
