import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { collectionOf, type Projection } from './projection.ts';
import { sweepProjection } from './sweep.ts';

export interface SweeperParts {
  readonly documents: Documents;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
}

const HOUR_MS = 3_600_000;

/**
 * Sweeps every read model about once an hour until it is disposed. Several processes may do so at once: what one has
 * swept is nothing for the other. A failed sweep is logged, and made good by the next one.
 */
export function startSweeper(parts: SweeperParts): AsyncDisposable {
  const stopping = new AbortController();
  const running = run(parts, stopping.signal);
  return {
    [Symbol.asyncDispose]: () => {
      stopping.abort();
      return running;
    },
  };
}

async function run(parts: SweeperParts, signal: AbortSignal): Promise<void> {
  const { documents, projections, clock, logger, random = Math.random } = parts;
  for (;;) {
    // Neither at once, when there is a backlog to fold, nor at the same moment in every process.
    await clock.sleep(HOUR_MS * (0.5 + random()), signal);
    for (const projection of projections) {
      if (signal.aborted) return;
      const readModel = collectionOf(projection);
      try {
        const swept = await sweepProjection(projection, { documents, signal });
        logger.debug({ readModel, ...swept }, 'swept');
      } catch (thrown) {
        logger.warn({ err: thrown, readModel }, 'the sweep failed; the next one makes it good');
      }
    }
  }
}
