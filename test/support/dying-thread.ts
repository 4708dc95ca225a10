import { parentPort, workerData } from 'node:worker_threads';

import type { Question, ThreadInput } from '../../src/compose/projector-thread/messages.ts';

/** A projector thread that breaks at once where it is told to accept `at once`, else when it is asked for metrics. */
if ((workerData as ThreadInput).acceptGaps.includes('at once')) throw new Error('the thread broke');
parentPort?.on('message', ({ ask }: Question) => {
  if (ask === 'metrics') throw new Error('the thread broke');
});
parentPort?.postMessage({ kind: 'ready' });
