import type { Log } from '../../events/log/port.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { repeat } from '../../platform/time/repeat.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { readAlias } from '../../stores/aliases.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { ownsFirstLane, type RunningLanes } from './build-lanes.ts';
import { announceNewlyParked } from './parked-in-builds.ts';

/*
 * Tells upstream of what the live build has refused and nobody has announced: it was parked before the build was live, or by
 * a lane that did not know yet that it is. Of several projectors the one that has the build's first lane does it.
 */

export interface AnnouncerParts extends RunningLanes {
  readonly documents: Documents;
  readonly log: Pick<Log, 'append'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The builds that are projected here: asked at each look. */
  readonly builds: readonly Projection[];
  /** The topic that rejected events are announced on. */
  readonly rejectedTopic: string;
}

const LOOK_MS = 10_000;

export function startAnnouncer(parts: AnnouncerParts): AsyncDisposable {
  const { clock, logger } = parts;
  return repeat(clock, LOOK_MS, async () => {
    for (const projection of parts.builds.filter((one) => ownsFirstLane(parts, one))) {
      const build = collectionOf(projection);
      try {
        const announced = await announceLeft(parts, projection);
        if (announced > 0)
          logger.info({ build, announced }, 'events announced that were parked before it was live');
      } catch (thrown) {
        const what = { build, reason: messageOf(thrown) };
        logger.debug(what, 'parked events could not be announced; tried again');
      }
    }
  });
}

/** Returns how many it has told upstream of. */
async function announceLeft(parts: AnnouncerParts, projection: Projection): Promise<number> {
  const build = collectionOf(projection);
  const alias = await readAlias(parts.documents, projection.name);
  if (alias?.collection !== build) return 0;
  return await announceNewlyParked(parts, parts.rejectedTopic, alias.before, build);
}
