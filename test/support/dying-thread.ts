import { workerData } from 'node:worker_threads';

import type { ProjectorFunctions, ThreadInput } from '../../src/compose/projector-thread/entry.ts';
import { offer } from '../../src/platform/threads/offer-functions.ts';

/** A projector thread that breaks at once where it is told to accept `at once`, else when it is asked for metrics. */
if ((workerData as ThreadInput).acceptGaps.includes('at once')) throw new Error('the thread broke');
const functions: ProjectorFunctions = {
  begin: async () => undefined,
  ready: async () => undefined,
  health: () => new Promise(() => undefined),
  metrics: () => {
    setImmediate(() => {
      throw new Error('the thread broke');
    });
    return new Promise(() => undefined);
  },
};
offer(functions, async () => undefined);
