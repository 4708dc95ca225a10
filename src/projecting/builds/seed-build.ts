import type { Log } from '../../events/log/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { noteSeeded, readBuild, type SeedNote } from '../../stores/builds.ts';
import { newVersion, type Documents, type Stored, type Write } from '../../stores/documents/port.ts';
import { changeDocuments } from '../engine/change-documents.ts';
import { markAfter, withMark } from '../engine/outbox-marks.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import type { Retry } from '../engine/retry.ts';
import { lanesOf } from './build-lanes.ts';
import { carryForgotten } from './parked-in-builds.ts';

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

/** Takes over every document of the source. @throws {StoppedError} by `pause` and `retry`. */
export async function seedBuild(
  parts: SeedingParts,
  source: Projection,
  target: Projection,
): Promise<Omit<SeedNote, 'at'>> {
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
  const view = projection.view(id, registers);
  const mark = markAfter(projection, id, stored?.body, view);
  return {
    id,
    read: stored?.version ?? null,
    version: newVersion(),
    body: withMark({ registers, view }, mark),
  };
}
