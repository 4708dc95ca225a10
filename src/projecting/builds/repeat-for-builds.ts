import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { repeat } from '../../platform/time/repeat.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { laneName } from '../engine/lane.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';

/** Whether this is the one, of several projectors, that does what is to be done once for a build. */
function ownsFirstLane({ topicName, isRunning }: BuildWork, projection: Projection): boolean {
  const [topic = ''] = projection.topics;
  return isRunning(laneName({ readModel: collectionOf(projection), topic: topicName(topic), partition: 0 }));
}

/** What a projector does again and again for its builds. */
export interface BuildWork {
  readonly topicName: (topic: string) => string;
  /** Whether this projector has a lane, and runs it. */
  readonly isRunning: (lane: string) => boolean;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The builds that are projected here: asked at each look. */
  readonly builds: readonly Projection[];
}

/** Works for each build whose first lane this projector has; what failed is told, and tried again. */
export function repeatForBuilds(
  parts: BuildWork,
  lookMs: number,
  work: (build: Projection, signal: AbortSignal) => Promise<void>,
  failed: (what: { readonly build: string; readonly reason: string }) => void,
): AsyncDisposable {
  return repeat(parts.clock, lookMs, async (signal) => {
    for (const build of parts.builds.filter((one) => ownsFirstLane(parts, one))) {
      if (signal.aborted) return;
      await work(build, signal).catch((thrown: unknown) => {
        if (!signal.aborted) failed({ build: collectionOf(build), reason: messageOf(thrown) });
      });
    }
  });
}
