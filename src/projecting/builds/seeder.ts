import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import { repeat } from '../../platform/time/repeat.ts';
import { readBuild } from '../../stores/builds.ts';
import { readAlias } from '../../stores/aliases.ts';
import type { Pace } from '../engine/pace.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { conflictPause, createRetry, StoppedError } from '../engine/retry.ts';
import { describeForgotten, forgottenPartitions } from '../inspect/forgotten-partitions.ts';
import { lanesOf, ownsFirstLane, type RunningLanes } from './build-lanes.ts';
import { maySeed, seedBuild, type SeedingParts } from './seed-build.ts';

/*
 * Of a build that is made beside the live one, from a log that no longer holds everything:
 *
 *   begun --its registers are made as the live ones are, and both are far enough--> seeded (noted in its record)
 *   begun --its registers are others, or nobody knows--> said once, with what the log no longer holds
 *
 * Of several projectors the one that has the build's first lane does it. A build is not complete before.
 */

export interface SeederParts
  extends Pick<SeedingParts, 'documents' | 'log' | 'topicName' | 'logger'>, RunningLanes {
  readonly clock: Clock;
  /** The builds that are projected here: asked at each look. */
  readonly builds: readonly Projection[];
  /** The live build, where its registers are made as those of this build are; null where not. */
  readonly sourceOf: (target: Projection) => Promise<Projection | null>;
  /** Whether readers see a build: it has what it has. Default: nobody knows, and each is looked at. */
  readonly isLive?: (build: string) => boolean;
  /** How it leaves readers the machine. Default: nobody is served in this process. */
  readonly pace?: Pace;
  /** How often it looks, in milliseconds. Default 1 s. */
  readonly lookMs?: number;
}

export interface Seeder extends AsyncDisposable {
  /** Whether nothing is left that a build has to be given beside the log. */
  isDone(build: Projection): Promise<boolean>;
}

const LOOK_MS = 1000;

export function startSeeder(parts: SeederParts): Seeder {
  const { clock, logger, lookMs = LOOK_MS, isLive = () => false } = parts;
  /** Builds of which was said what they cannot know. */
  const said = new Set<string>();

  async function look(build: Projection, signal: AbortSignal): Promise<void> {
    if (!(await lacks(parts, build))) return;
    const source = await parts.sourceOf(build);
    if (source === null) return await sayWhatIsGone(build);
    const work = workOf(parts, signal);
    if (!(await maySeed(work, source, build))) return;
    const seeded = await seedBuild(work, source, build);
    logger.info({ build: collectionOf(build), ...seeded }, 'build begun with the registers of the live one');
  }

  async function sayWhatIsGone(build: Projection): Promise<void> {
    const name = collectionOf(build);
    if (said.has(name)) return;
    said.add(name);
    const gone =
      describeForgotten(await forgottenPartitions(parts, build)) ?? 'another log was read before this one';
    logger.warn(
      { build: name, gone },
      'the live build may know what the log no longer holds, and this build cannot',
    );
  }

  const running = repeat(clock, lookMs, async (signal) => {
    for (const build of parts.builds) {
      if (isLive(collectionOf(build)) || !ownsFirstLane(parts, build)) continue;
      try {
        await look(build, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        const what = { build: collectionOf(build), reason: messageOf(thrown) };
        logger.warn(what, 'what the log no longer holds could not be taken over; tried again');
      }
    }
  });
  return {
    isDone: async (build) => !(await lacks(parts, build)) || (await parts.sourceOf(build)) === null,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

function workOf(parts: SeederParts, signal: AbortSignal): SeedingParts {
  const { clock, logger, pace } = parts;
  return {
    ...parts,
    retry: createRetry({ clock, logger, signal }),
    pause: async (attempt) => {
      if (signal.aborted) throw new StoppedError('stopped between two attempts');
      await clock.sleep(conflictPause(attempt, Math.random), signal);
    },
    breathe: async () => {
      if (signal.aborted) throw new StoppedError('stopped between two batches');
      await (pace ? pace.rest(signal) : nextTurn());
    },
  };
}

/** Whether the live build may know what this one cannot learn from the log, and has not been given yet. */
async function lacks({ documents, log, topicName }: SeederParts, build: Projection): Promise<boolean> {
  const name = collectionOf(build);
  const alias = await readAlias(documents, build.name);
  // One that is or was live has what it has.
  if (!alias || alias.collection === name || alias.before === name) return false;
  const known = await readBuild(documents, name);
  if (known?.completed_at || known?.seeded) return false;
  const isReplaced = (await lanesOf(documents, alias.collection)).some(({ incarnation }) => incarnation > 0);
  return isReplaced || (await forgottenPartitions({ log, topicName }, build)).length > 0;
}
