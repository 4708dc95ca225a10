import { availableParallelism } from 'node:os';

import { listings } from '../../projections/listings/index.ts';
import { createGatherer } from '../../src/compose/gathering-thread/start.ts';
import { collectionOf, type Projection } from '../../src/projecting/engine/projection.ts';
import { foldAll } from './fold-all.ts';
import type { Work } from './work.ts';

const PROJECTION = { ...listings, build: 'alone' } as Projection;

/** From a full log until the documents have all of it, in passes as readers wait for them. No index is told of anything. */
export const documentsAlone: Work = async (parts) => async () => {
  const { documents, logger, config, topicName } = parts;
  const input = { topicPrefix: config.topicPrefix };
  // As a service has it that is started on such a machine.
  await using gatherer = availableParallelism() > 1 ? createGatherer({ input, logger }) : null;
  const { records } = await foldAll(parts, PROJECTION, {
    rejectedTopic: topicName('catalog.rejected'),
    ...(gatherer && { gatherer }),
  });
  const where = { 'view.published': { in: [true, false] } };
  const [all] = await documents.count(collectionOf(PROJECTION), { where, by: [] });
  return { events: records, documents: all?.count ?? 0 };
};
