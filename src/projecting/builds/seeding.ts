import type { Log } from '../../events/log/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { noteSeeded, readBuild, type Seeded } from '../../stores/builds.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { joinDocuments, Unwritable } from '../engine/join-documents.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import type { Retry } from '../engine/retry.ts';
import { lanesOf } from './lanes.ts';
import { carryForgotten } from './parked.ts';

/*
 * A build of a log that was cut begins with the registers of the live build, where both folds make them alike: what the
 * live build took from the records that are gone. Joined with what the log still holds that is what the whole log would
 * have made, in whatever order the two come. Repeating it after a failure changes nothing that was joined already.
 */

export interface SeedingParts {
  readonly documents: Documents;
  readonly log: Pick<Log, 'ends'>;
  readonly topicName: (topic: string) => string;
  readonly logger: Logger;
  readonly retry: Retry;
  readonly pause: (attempt: number) => Promise<void>;
  /** Called after each piece of work, for those who share the thread. */
  readonly breathe: () => Promise<void>;
}

/**
 * Whether both have come so far that nothing is missed: the target has its place in every partition, and the source has
 * written whatever it read of what is gone by now.
 */
export async function maySeed(parts: SeedingParts, source: Projection, target: Projection): Promise<boolean> {
  const { documents, log, topicName } = parts;
  if ((await readBuild(documents, collectionOf(target))) === null) return false;
  const [here, there] = [
    await lanesOf(documents, collectionOf(target)),
    await lanesOf(documents, collectionOf(source)),
  ];
  for (const topic of target.topics.map(topicName)) {
    for (const { partition, earliest } of await log.ends(topic)) {
      const isOwn = (one: { readonly topic: string; readonly partition: number }): boolean =>
        one.topic === topic && one.partition === partition;
      const known = there.find(isOwn);
      if (!here.some(isOwn)) return false;
      // A halted one writes no more: what it has is all that there is.
      if (known && known.halted === null && known.position < earliest) return false;
    }
  }
  return true;
}

/** Takes over every document of the source. @throws {Stopped} by `pause` and `retry`. */
export async function seedBuild(
  parts: SeedingParts,
  source: Projection,
  target: Projection,
): Promise<Omit<Seeded, 'at'>> {
  const { documents, log, topicName } = parts;
  const from = collectionOf(source);
  let [count, leftOut] = [0, 0];
  for await (const batch of documents.scan<ReadModelDocument>(from)) {
    const registers = new Map(batch.map(({ id, body }) => [id, body.registers] as const));
    const failed = await joinEach(parts, target, registers);
    count += batch.length - failed;
    leftOut += failed;
    await parts.breathe();
  }
  await carryForgotten({ documents, log, topicName }, source, target);
  const seeded = { from, documents: count, left_out: leftOut };
  await noteSeeded(documents, collectionOf(target), seeded);
  return seeded;
}

/** Returns how many the target's fold cannot show: that is said, and they are left to what the log still holds. */
async function joinEach(
  parts: SeedingParts,
  target: Projection,
  registers: ReadonlyMap<string, unknown>,
): Promise<number> {
  try {
    await joinDocuments(target, registers, parts);
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof Unwritable)) throw thrown;
    const [[id] = []] = registers;
    if (registers.size === 1) {
      const what = { build: collectionOf(target), id, err: thrown };
      parts.logger.warn(what, 'a document of the live build cannot be taken over');
      return 1;
    }
  }
  let failed = 0;
  for (const [id, one] of registers) failed += await joinEach(parts, target, new Map([[id, one]]));
  return failed;
}
