import { listings } from '../../projections/listings/index.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { foldAll } from './fold-all.ts';
import type { Work } from './work.ts';

const PROJECTION = { ...listings, build: 'alone' } as Projection;

/** From a full log until the documents have all of it, in passes as readers wait for them. No index is told of anything. */
export const documentsAlone: Work = async (parts) => async () => {
  const { records } = await foldAll(parts, PROJECTION, {
    rejectedTopic: parts.topicName('catalog.rejected'),
  });
  return { events: records };
};
