import { hostname } from 'node:os';

import { REJECTED } from '../events/event-types.ts';
import { announcementLog } from '../projecting/engine/rejection-announcement-trouble.ts';
import type { CutOverParts } from '../projecting/builds/verify-and-cut-over.ts';
import { everyBuild } from '../projecting/builds/builds-by-fold.ts';
import type { Parts } from './parts.ts';

/** What a cut-over and a verification work with. */
export function cutOverParts(parts: Parts, signal: AbortSignal): CutOverParts {
  const { config, log, documents, search, projections, topicName, decode, clock, logger } = parts;
  const rejectedTopic = topicName(REJECTED);
  const isOn = config.rejections === 'on';
  return {
    log: announcementLog({ log, documents, logger, topic: rejectedTopic, isOn }),
    documents,
    search,
    projections,
    topicName,
    decode,
    clock,
    logger,
    signal,
    rejectedTopic,
    standing: async (name) => (await everyBuild(parts)).filter(({ readModel }) => readModel === name),
    owner: `${hostname()}:${process.pid}`,
  };
}
