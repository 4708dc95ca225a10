import { parentPort, workerData } from 'node:worker_threads';

import { compose } from '../parts.ts';
import { startProjector, type RunningProjector } from '../projector.ts';
import { createStarting } from '../starting.ts';
import { messageOf, PermanentError, RetryableError } from '../../platform/errors.ts';
import { createMetrics } from '../../platform/metrics.ts';
import type { Health } from '../../projecting/inspect/health.ts';
import { Stopped } from '../../projecting/engine/retry.ts';
import type { Question, ThreadInput, ThreadMessage } from './messages.ts';

/** The thread's own side: projects until it is told to stop. A fault of ours ends the thread, and the process with it. */
await main(workerData as ThreadInput);

async function main({ config, acceptGaps }: ThreadInput): Promise<void> {
  const parts = await compose(config, 'projector', { registry: createMetrics('projector_') });
  const { clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const starting = createStarting({ clock, logger, signal });
  const begun = startProjector(parts, { acceptGaps, wait: starting.wait, signal });
  let projector: RunningProjector | null = null;
  const side: Side = {
    health: () => projector?.health() ?? starting.check(),
    metrics: () => parts.registry.metrics(),
    stop: async () => {
      stopping.abort();
      // Where it did not start, it has said so, or is told to stop before it did.
      await begun.then(
        (running) => running[Symbol.asyncDispose](),
        () => undefined,
      );
      await parts[Symbol.asyncDispose]();
    },
  };
  parentPort?.on('message', (question: Question) => void answer(question, side));
  try {
    projector = await begun;
    tell({ kind: 'ready' });
  } catch (thrown) {
    if (thrown instanceof Stopped) return;
    if (!(thrown instanceof PermanentError || thrown instanceof RetryableError)) throw thrown;
    tell({ kind: 'refused', reason: messageOf(thrown) });
    await parts[Symbol.asyncDispose]();
    // Nobody is listened to any more, so the thread ends.
    parentPort?.close();
  }
}

/** What the main thread may ask for, from the first moment on. */
interface Side {
  health(): Health;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

async function answer({ number, ask }: Question, side: Side): Promise<void> {
  switch (ask) {
    case 'health':
      tell({ kind: 'answer', number, value: side.health() });
      return;
    case 'metrics':
      tell({ kind: 'answer', number, value: await side.metrics() });
      return;
    case 'stop':
      await side.stop();
      tell({ kind: 'answer', number, value: null });
      parentPort?.close();
      return;
  }
}

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
