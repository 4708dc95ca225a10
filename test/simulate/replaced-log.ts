import { partitionOf } from '../../src/events/log/partitioner.ts';
import { CHECKPOINTS, laneName, type Checkpoint, type LaneId } from '../../src/projecting/engine/lane.ts';
import { arbitraryRecord } from './notes-and-marks.ts';
import { liveIn } from './aliases.ts';
import { checkDocuments, factsOf, lanesOf, PARTITIONS, require } from './promises.ts';
import { bodyOf } from './simulated-documents.ts';
import { appendRecord, partitionsOf, restorePartition } from './simulated-log.ts';
import { assignAll, failIfBroken, finish, membersOf, start, stop, type Actor, type Stage } from './stage.ts';

/*
 * After everything has come right: a partition is restored from a backup, or made again, and written to, under the eyes
 * of a worker or while nobody works. Where records that were consumed are gone, the lane must halt; where an operator
 * accepts that, the new log must be folded from its start, and nothing of it may be missing.
 */

/** Certain readings of the log, seconds apart, and the time until an idle lane looks. Simulated milliseconds. */
const NOTICED_MS = 30_000;
const WITHIN_MS = 60_000;
const RESTORING_MS = 2500;
const CALM_MS = 1000;

export async function replaceLog(stage: Stage, last: Actor): Promise<void> {
  const { world, log, documents } = stage;
  const build = liveIn(documents);
  const lanes = lanesOf(build);
  const before = lanes.flatMap((one) => factsOf(log, documents, one));
  const lane = world.pick([...lanes] as [LaneId, ...LaneId[]]);
  const records = partitionsOf(log, lane.topic)[lane.partition] ?? [];
  const consumed = records.length;
  const kept = Math.floor(world.random() * (consumed + 1));
  let worker = last;
  const isWatched = world.chance(0.5);
  if (!isWatched) await finish(stage, stop(stage, worker), 'the last worker stops');
  restorePartition(log, lane.topic, lane.partition, kept);
  // It takes a while until upstream has published again.
  await world.until(() => false, RESTORING_MS);
  const wanted = kept + Math.floor(world.random() * 2 * (consumed - kept + 2));
  while (records.length < wanted) {
    const record = { ...arbitraryRecord(world, records.length), topic: lane.topic };
    if (partitionOf(record.key, PARTITIONS.length) === lane.partition) appendRecord(log, record, world.now());
  }
  if (!isWatched) worker = await startWith(stage, []);
  await world.until(() => stage.broken.length > 0 || isHalted(stage, lane), NOTICED_MS);
  failIfBroken(stage);
  const isLost = kept < consumed;
  world.happen(isLost ? `log replaced, ${wanted > consumed ? 'overtaken' : 'younger'}` : 'log grown');
  require(isHalted(stage, lane) ===
    isLost, `never silent: ${laneName(lane)} consumed ${consumed} records, the log was cut to ${kept} and has ${wanted}; halted: ${isHalted(stage, lane)}`);
  const said = (): number => worker.projector.lanes().filter(({ state }) => state === 'halted').length;
  await world.until(() => said() === Number(isLost), CALM_MS);
  require(said() === Number(isLost), `health is honest: ${said()} lanes are said to have halted`);
  for (const other of lanes.filter((one) => one !== lane)) {
    require(!isHalted(stage, other), `${laneName(other)} has halted, and nothing is wrong with it`);
  }
  if (isLost) {
    await finish(stage, stop(stage, worker), 'the worker stops');
    worker = await startWith(stage, [laneName(lane)]);
  }
  await world.until(() => stage.broken.length > 0 || isConsumed(stage, lane), WITHIN_MS);
  failIfBroken(stage);
  require(isConsumed(stage, lane), `recovery: the log that was accepted is not consumed`);
  checkDocuments(documents, build, [...before, ...factsOf(log, documents, lane)]);
  await finish(stage, stop(stage, worker), 'the last worker stops');
}

async function startWith(stage: Stage, acceptGaps: readonly string[]): Promise<Actor> {
  const actor = start(stage, acceptGaps);
  const hasJoined = await stage.world.until(() => membersOf(stage, actor).length > 0, WITHIN_MS);
  require(hasJoined, 'recovery: nobody joins');
  assignAll(stage, actor);
  return actor;
}

function checkpointOf({ documents }: Stage, lane: LaneId): Checkpoint {
  return bodyOf(documents, CHECKPOINTS.name, laneName(lane)) as Checkpoint;
}

function isHalted(stage: Stage, lane: LaneId): boolean {
  return checkpointOf(stage, lane).halted !== null;
}

function isConsumed(stage: Stage, lane: LaneId): boolean {
  const { position, halted } = checkpointOf(stage, lane);
  return halted === null && position === partitionsOf(stage.log, lane.topic)[lane.partition]?.length;
}
