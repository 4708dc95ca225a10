import { parentPort, workerData } from 'node:worker_threads';

import { compose, type Parts } from '../parts.ts';
import { startProjector, type RunningProjector } from '../projector.ts';
import { messageOf, PermanentError, RetryableError } from '../../platform/errors.ts';
import { createMetrics } from '../../platform/metrics.ts';
import type { Question, ThreadInput, ThreadMessage } from './messages.ts';

/** The thread's own side: projects until it is told to stop. A fault of ours ends the thread, and the process with it. */
await main(workerData as ThreadInput);

async function main({ config, acceptGaps }: ThreadInput): Promise<void> {
  const parts = compose(config, 'projector', { registry: createMetrics('projector_') });
  try {
    const projector = await startProjector(parts, { acceptGaps });
    parentPort?.on('message', (question: Question) => void answer(question, parts, projector));
    tell({ kind: 'ready' });
  } catch (thrown) {
    if (!(thrown instanceof PermanentError || thrown instanceof RetryableError)) throw thrown;
    tell({ kind: 'refused', reason: messageOf(thrown) });
    await parts[Symbol.asyncDispose]();
  }
}

async function answer({ number, ask }: Question, parts: Parts, projector: RunningProjector): Promise<void> {
  switch (ask) {
    case 'health':
      tell({ kind: 'answer', number, value: projector.health() });
      return;
    case 'metrics':
      tell({ kind: 'answer', number, value: await parts.registry.metrics() });
      return;
    case 'stop':
      await projector[Symbol.asyncDispose]();
      await parts[Symbol.asyncDispose]();
      tell({ kind: 'answer', number, value: null });
      parentPort?.close();
      return;
  }
}

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
