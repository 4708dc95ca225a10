import type { Log } from '../../events/log/port.ts';
import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { readAlias, type Alias } from '../../stores/live.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { firstLane } from './lanes.ts';
import { announceNewlyParked } from './parked.ts';

/*
 * Tells upstream of what the live build has refused and nobody has announced: the command that made it live was killed
 * before it had told everything, or a lane parked something before it knew that its build is live. Of several projectors
 * the one that has the build's first lane does it.
 */

export interface AnnouncerParts {
  readonly documents: Documents;
  readonly log: Pick<Log, 'append'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The builds that are projected here: asked at each look. */
  readonly builds: readonly Projection[];
  readonly topicName: (topic: string) => string;
  /** The topic that rejected events are announced on. */
  readonly rejectedTopic: string;
  /** Whether this projector has a lane, and runs it. */
  readonly isRunning: (lane: string) => boolean;
}

const LOOK_MS = 10_000;
/** After a switch its own command announces: so long it is not disturbed, in milliseconds, or upstream hears twice. */
const COMMAND_MS = 30_000;

export function startAnnouncer(parts: AnnouncerParts): AsyncDisposable {
  const { clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    for (;;) {
      await clock.sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      for (const build of parts.builds.filter((one) => parts.isRunning(firstLane(one, parts.topicName)))) {
        try {
          await announceLeft(parts, build);
        } catch (thrown) {
          const what = { build: collectionOf(build), reason: messageOf(thrown) };
          logger.debug(what, 'parked events could not be announced; tried again');
        }
      }
    }
  }

  const running = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function announceLeft(
  { documents, log, logger, rejectedTopic }: AnnouncerParts,
  projection: Projection,
): Promise<void> {
  const build = collectionOf(projection);
  const alias = await readAlias(documents, projection.name);
  if (alias?.collection !== build || isFresh(alias, await documents.now())) return;
  const announced = await announceNewlyParked({ documents, log }, rejectedTopic, alias.before, build);
  if (announced > 0)
    logger.info({ build, announced }, 'events announced that were parked before it was live');
}

/** A switch in the future is of a time before the clock was put back. */
function isFresh({ switched_at: at }: Alias, now: number): boolean {
  return at !== null && at <= now && now - at < COMMAND_MS;
}
