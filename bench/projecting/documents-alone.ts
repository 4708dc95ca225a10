import { listings } from '../../projections/listings/index.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { collectionOf, type Projection } from '../../src/projecting/engine/projection.ts';
import type { Documents, Write } from '../../src/stores/documents/port.ts';
import { overriding } from '../../test/support/overriding.ts';
import { foldAll } from './fold-all.ts';
import type { Work } from './work.ts';

/** From a full log until the documents have all of it, in passes as readers wait for them. No index is told of anything. */
export const documentsAlone: Work = async (parts) => async () => {
  let written = 0;
  const events = await project(parts, 'alone', (writes) => {
    written += writes.length;
  });
  return { events, documents: written };
};

/** Returns how many events there were; `told` is told of each batch of documents that was written. */
export async function project(
  parts: Parts,
  build: string,
  told: (writes: readonly Write<unknown>[]) => void,
): Promise<number> {
  const { topicName } = parts;
  const projection = { ...listings, build } as Projection;
  const documents = overriding<Documents>(parts.documents, {
    write: async (collection, writes, options) => {
      const outcomes = await parts.documents.write(collection, writes, options);
      if (collection === collectionOf(projection)) told(writes.filter((_, at) => outcomes[at] === 'done'));
      return outcomes;
    },
  });
  const how = { rejectedTopic: topicName('catalog.rejected') };
  const { records } = await foldAll({ ...parts, documents }, projection, how);
  return records;
}
