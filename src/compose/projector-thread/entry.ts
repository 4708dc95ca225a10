import { workerData } from 'node:worker_threads';

import { compose } from '../parts.ts';
import { startProjector, type RunningProjector } from '../projector.ts';
import { createStartUp } from '../retry-start-up.ts';
import type { Config } from '../../config.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import { lowerThreadPriority } from '../../platform/threads/priority.ts';
import { createMetrics } from '../../platform/metrics-registry.ts';
import { offer } from '../../platform/threads/offer-functions.ts';
import type { Health } from '../../findings/findings-to-readiness.ts';
import { StoppedError } from '../../projecting/engine/retry.ts';

export interface ThreadInput {
  readonly config: Config;
  readonly acceptGaps: readonly string[];
  /** One number, written by the main thread: how busy it is, from 0 to 1. */
  readonly utilization: SharedArrayBuffer;
}

/** What the main thread may ask for, from the first moment on. */
export interface ProjectorFunctions {
  /** Begins to work: until then it has loaded what it is made of, and touched nothing. */
  begin(): Promise<void>;
  /** Resolves once the groups are joined; throws what keeps it from starting. */
  ready(): Promise<void>;
  health(): Promise<Health>;
  metrics(): Promise<string>;
}

/** The thread's own side: projects until it is told to stop. A fault of ours ends the thread, and the process with it. */
// Readers wait for searches, of which the thread is one step back.
lowerThreadPriority(2);
await main(workerData as ThreadInput);

async function main({ config, acceptGaps, utilization: shared }: ThreadInput): Promise<void> {
  const told = Promise.withResolvers<void>();
  const parts = await compose(config, 'projector', { registry: createMetrics('projector_') });
  const { clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const starting = createStartUp({ clock, logger, signal });
  const busy = new Float64Array(shared);
  const utilization = (): number => busy[0] ?? 0;
  const begun = told.promise.then(() => {
    if (signal.aborted) throw new StoppedError('the projector was told to stop before it began');
    return startProjector(parts, { acceptGaps, wait: starting.wait, utilization, signal });
  });
  let projector: RunningProjector | null = null;
  const functions: ProjectorFunctions = {
    begin: async () => told.resolve(),
    ready: async () => {
      await begun;
    },
    health: async () => projector?.health() ?? starting.check(),
    metrics: () => parts.registry.metrics(),
  };
  offer(functions, async () => {
    stopping.abort();
    told.resolve();
    // Where it did not start, `ready` has said so, or it is told to stop before it did.
    await begun.then(
      (running) => running[Symbol.asyncDispose](),
      () => undefined,
    );
    await parts[Symbol.asyncDispose]();
  });
  try {
    projector = await begun;
  } catch (thrown) {
    // `ready` tells the main thread, which then stops this one.
    const isExpected = [StoppedError, PermanentError, RetryableError].some((kind) => thrown instanceof kind);
    if (!isExpected) throw thrown;
  }
}
