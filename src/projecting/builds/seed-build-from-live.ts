import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Log, PartitionId } from '../../events/log/port.ts';
import { noteSeeded, readBuild } from '../../stores/builds.ts';
import type { Stored, Write } from '../../stores/documents/port.ts';
import { changeDocuments, type ChangingOptions } from '../engine/change-documents.ts';
import { documentWrite } from '../engine/outbox-marks.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { conflictPauses, createRetry, StoppedError } from '../engine/retry.ts';
import { lanesOf } from '../engine/lane.ts';
import { type BuildWork, repeatForBuilds } from './repeat-for-builds.ts';
import { carryForgotten } from './carry-parked-to-build.ts';
import { readAlias } from '../../stores/aliases.ts';
import type { BuildThrottle } from '../engine/build-throttle.ts';
import { describeForgotten, forgottenPartitions, partitionsOf } from '../replay/history.ts';

/*
 * A build of a log that was cut begins with the registers of the live build, where both folds make them alike: what the
 * live build took from the records that are gone. Joined with what the log still holds that is what the whole log would
 * have made, in whatever order the two come. Repeating it after a failure changes nothing that was joined already.
 */

export interface SeedingParts
  extends Pick<BuildWork, 'documents' | 'topicName' | 'logger'>, Omit<Required<ChangingOptions>, 'refusals'> {
  readonly log: Pick<Log, 'ends'>;
}

/**
 * Whether both have come so far that nothing is missed: the target has its place in every partition, and the source has
 * written whatever it read of what is gone by now.
 */
export async function maySeed(parts: SeedingParts, source: Projection, target: Projection): Promise<boolean> {
  const { documents, log, topicName } = parts;
  if ((await readBuild(documents, collectionOf(target))) === null) return false;
  const here = await lanesOf(documents, collectionOf(target));
  const there = await lanesOf(documents, collectionOf(source));
  for (const { topic, partition, earliest } of await partitionsOf(log, target.topics.map(topicName))) {
    const isOwn = (one: PartitionId): boolean => one.topic === topic && one.partition === partition;
    const known = there.find(isOwn);
    if (!here.some(isOwn)) return false;
    // A halted one writes no more: what it has is all that there is.
    if (known && known.halted === null && known.position < earliest) return false;
  }
  return true;
}

/**
 * Takes over every document of the source. Those that this fold cannot show as that build has them are left out: of them it
 * knows what the log still holds. @throws {StoppedError} by `pause` and `retry`.
 */
export async function seedBuild(parts: SeedingParts, source: Projection, target: Projection) {
  const { documents } = parts;
  const from = collectionOf(source);
  let [count, leftOut] = [0, 0];
  for await (const batch of documents.scan<ReadModelDocument>(from)) {
    const registers = new Map(batch.map(({ id, body }) => [id, body.registers] as const));
    const failed = await joinEach(parts, target, registers);
    count += batch.length - failed;
    leftOut += failed;
    await parts.breathe();
  }
  await carryForgotten(parts, source, target);
  await noteSeeded(documents, collectionOf(target));
  return { from, documents: count, left_out: leftOut };
}

/** Returns how many the target's fold cannot show: that is said, and they are left to what the log still holds. */
async function joinEach(parts: SeedingParts, target: Projection, registers: ReadonlyMap<string, unknown>) {
  const build = collectionOf(target);
  const failed = new Map<string, unknown>();
  const refused = await changeDocuments(
    build,
    registers.keys(),
    (id, stored) => {
      try {
        return joinInto(target, id, stored, registers.get(id));
      } catch (thrown) {
        failed.set(id, thrown);
        return null;
      }
    },
    parts,
  );
  for (const [id, err] of [...failed, ...refused])
    parts.logger.warn({ build, id, err }, 'a document of the live build cannot be taken over');
  return failed.size + refused.size;
}

function joinInto(
  projection: Projection,
  id: string,
  stored: Stored<ReadModelDocument> | undefined,
  added: unknown,
): Write<ReadModelDocument> | null {
  const before = stored ? stored.body.registers : projection.registers.empty;
  const registers = projection.registers.join(before, added);
  if (registers === before) return null;
  return documentWrite(projection, id, stored, { registers, view: projection.view(id, registers) });
}

/*
 * Of a build that is made beside the live one, from a log that no longer holds everything:
 *
 *   begun --its registers are made as the live ones are, and both are far enough--> seeded (noted in its record)
 *   begun --its registers are others, or nobody knows--> said once, with what the log no longer holds
 *
 * Of several projectors the one that has the build's first lane does it. A build is not complete before.
 */

interface SeederParts extends Pick<SeedingParts, 'log'>, BuildWork {
  /** The live build, where its registers are made as those of this build are; null where not. */
  readonly sourceOf: (target: Projection) => Promise<Projection | null>;
  /** Whether readers see a build: it has what it has. Default: nobody knows, and each is looked at. */
  readonly isLive?: (build: string) => boolean;
  /** How it leaves readers the machine. Default: nobody is served in this process. */
  readonly throttle?: BuildThrottle;
  /** How often it looks, in milliseconds. Default 1 s. */
  readonly lookMs?: number;
}

const LOOK_MS = 1000;

export function startSeeder(parts: SeederParts) {
  const { logger, lookMs = LOOK_MS, isLive = () => false } = parts;
  /** Builds of which was said what they cannot know. */
  const said = new Set<string>();

  async function look(build: Projection, signal: AbortSignal): Promise<void> {
    if (isLive(collectionOf(build)) || !(await lacks(parts, build))) return;
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

  const running = repeatForBuilds(parts, lookMs, look, (what) =>
    logger.warn(what, 'what the log no longer holds could not be taken over; tried again'),
  );
  return {
    /** Whether nothing is left that a build has to be given beside the log. */
    isDone: async (build: Projection): Promise<boolean> =>
      !(await lacks(parts, build)) || (await parts.sourceOf(build)) === null,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

function workOf(parts: SeederParts, signal: AbortSignal): SeedingParts {
  const { clock, logger, throttle } = parts;
  return {
    ...parts,
    retry: createRetry({ clock, logger, signal }),
    pause: conflictPauses({ clock, signal }),
    breathe: async () => {
      if (signal.aborted) throw new StoppedError('stopped between two batches');
      await (throttle ? throttle.rest(signal) : nextTurn());
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
