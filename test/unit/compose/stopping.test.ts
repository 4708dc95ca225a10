import { expect, test } from 'vitest';

import { listings } from '../../../projections/listings/index.ts';
import { startProjector } from '../../../src/compose/projector.ts';
import { createStartUp } from '../../../src/compose/retry-start-up.ts';
import { beginRebuild } from '../../../src/operations/begin-and-watch-build.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { StoppedError } from '../../../src/projecting/engine/retry.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { overriding } from '../../support/overriding.ts';
import { openParts } from '../../support/parts.ts';

test('a projector that is told to stop while it cannot join its groups yet ends', async () => {
  const logger = createLogger('silent', 'test');
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  const asked = Promise.withResolvers<void>();
  const log = overriding(parts.log, {
    subscribe: () => {
      asked.resolve();
      return Promise.reject(new RetryableError('the group has no coordinator'));
    },
  });
  const stop = new AbortController();
  const { signal } = stop;
  const { wait } = createStartUp({ clock: parts.clock, logger, signal });
  const started = startProjector(overriding(parts, { log }), { acceptGaps: [], wait, signal });
  await asked.promise;
  stop.abort();
  await expect(started).rejects.toThrow(StoppedError);
});

test('a projector that cannot join the group of a new build ends when it is told to', async () => {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  const refused = Promise.withResolvers<void>();
  const subscribe: typeof parts.log.subscribe = (group, ...others) => {
    if (!group.includes('-b2')) return parts.log.subscribe(group, ...others);
    refused.resolve();
    return Promise.reject(new RetryableError('the disk is full'));
  };
  const log = overriding(parts.log, { subscribe });
  const projector = await startProjector(overriding(parts, { log }), { acceptGaps: [] });
  await beginRebuild(parts, listings);
  await refused.promise;
  await projector[Symbol.asyncDispose]();
});
