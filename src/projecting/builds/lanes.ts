import type { Documents } from '../../stores/documents/port.ts';
import { isAlive } from '../../stores/words.ts';
import { readWorkers, WORKERS } from '../../stores/workers.ts';
import { CHECKPOINTS, laneName, type Checkpoint } from '../engine/lane.ts';

/** The lanes of a build as their checkpoints say, whatever release projects it. */
export async function lanesOf(
  documents: Pick<Documents, 'scan'>,
  build: string,
): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = [];
  for await (const batch of documents.scan<Checkpoint>(CHECKPOINTS.name))
    for (const { body } of batch) if (body.readModel === build) found.push(body);
  return found;
}

/** A lane that is not known to be quiet, and who has it. */
export interface Restless {
  readonly lane: string;
  /** `host:pid`; null where nobody speaks of it. */
  readonly where: string | null;
}

/**
 * The lanes that may still write although they are to be quiet. One that has halted writes nothing, nor does one whose
 * owner is not heard of; a worker that has only just started may not have spoken yet, so those are `unheard` at first.
 */
export async function restlessLanes(
  documents: Pick<Documents, 'scan' | 'now' | 'declare'>,
  lanes: readonly Checkpoint[],
  token: string,
): Promise<readonly Restless[]> {
  const loud = lanes.filter(({ quiet, halted }) => quiet !== token && halted === null);
  if (loud.length === 0) return [];
  await documents.declare(WORKERS);
  const now = await documents.now();
  const workers = await readWorkers(documents);
  return loud.map((lane) => {
    const worker = workers.get(lane.owner);
    return { lane: laneName(lane), where: worker && isAlive(worker, now) ? worker.where : null };
  });
}

/** The lanes of the target that have not come as far as the same lane of the source; named, with how far it is. */
export function behind(
  source: readonly Checkpoint[],
  target: readonly Checkpoint[],
): readonly { readonly lane: string; readonly left: number }[] {
  return target.flatMap((lane) => {
    const other = source.find(({ topic, partition }) => topic === lane.topic && partition === lane.partition);
    // What a halted lane has read may have been another log's; the target stands on the one that there is.
    if (!other || other.halted) return [];
    const left = other.position - lane.position;
    return left > 0 ? [{ lane: laneName(lane), left }] : [];
  });
}
