import { readDocument } from '../../stores/documents/change-document.ts';
import { newVersion, type Documents } from '../../stores/documents/port.ts';
import { isAlive } from '../../stores/heartbeats.ts';
import { readWorkers, WORKERS } from '../../stores/workers.ts';
import { CHECKPOINTS, laneName, type Checkpoint } from '../engine/lane.ts';

/**
 * The lanes that may still write although they are to be quiet, and where their projectors are: `host:pid`, or null where
 * nobody speaks of a lane. One that has halted writes nothing.
 */
export async function busyLanes(
  documents: Pick<Documents, 'scan' | 'now' | 'declare'>,
  lanes: readonly Checkpoint[],
  token: string,
) {
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

/**
 * Takes a lane that nobody speaks of away from its owner, so that it checkpoints nothing more: it may only have just
 * started, or have been stopped for a while. One that lives claims the lane again, and then finds the pause. Nothing
 * where the lane has moved since it was read.
 */
export async function revokeLane(
  documents: Pick<Documents, 'get' | 'write'>,
  lane: string,
  token: string,
): Promise<void> {
  const stored = await readDocument<Checkpoint>(documents, CHECKPOINTS.name, lane);
  if (!stored || stored.body.quiet === token) return;
  const body: Checkpoint = { ...stored.body, epoch: stored.body.epoch + 1, owner: token, quiet: token };
  await documents.write(CHECKPOINTS.name, [{ id: lane, read: stored.version, version: newVersion(), body }]);
}
