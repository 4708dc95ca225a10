import type { Log } from '../../src/events/log/port.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { Registry } from '../../src/platform/metrics.ts';
import type { LaneId } from '../../src/projecting/lane.ts';
import { createProjectorMetrics } from '../../src/projecting/projector-metrics.ts';
import { Projector, type ProjectorParts } from '../../src/projecting/projector.ts';
import { Stopped } from '../../src/projecting/retry.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { decode, NOTES_AND_MARKS } from './notes-and-marks.ts';
import { BrokenPromise } from './promises.ts';
import { connectDocuments, type SharedDocuments } from './simulated-documents.ts';
import { connectLog, type SharedLog } from './simulated-log.ts';
import { createWorker, type Worker } from './worker.ts';
import type { World } from './world.ts';

/** Everything that takes part in one run, and how projectors come and go. */
export interface Stage {
  readonly world: World;
  readonly log: SharedLog;
  readonly documents: SharedDocuments;
  readonly planted: Planted;
  /** What the watch over every write has found. */
  readonly broken: Error[];
  readonly actors: Actor[];
}

/** A worker with the projector in it. */
export interface Actor {
  readonly worker: Worker;
  readonly projector: Projector;
  hasStarted: boolean;
  stopping: boolean;
}

/** What stands between a worker and its stores: a bug to be caught. */
export interface Planted {
  readonly documents?: (documents: Documents) => Documents;
  readonly log?: (log: Log) => Log;
}

export const TOPICS = ['notes', 'marks'] as const;
export const PARTITIONS = [0, 1] as const;

export const LANES: readonly LaneId[] = TOPICS.flatMap((topic) =>
  PARTITIONS.map((partition) => ({ readModel: 'notes@1', topic, partition })),
);

export function start(stage: Stage): Actor {
  const worker = createWorker(stage.world, `worker ${stage.actors.length}`);
  const projector = new Projector(partsOf(stage, worker));
  const actor: Actor = { worker, projector, hasStarted: false, stopping: false };
  stage.actors.push(actor);
  const starting = async (): Promise<void> => {
    await projector.start();
    actor.hasStarted = true;
  };
  starting().catch((thrown: unknown) => {
    if (!(thrown instanceof Stopped)) stage.broken.push(thrown as Error);
  });
  return actor;
}

/** Resolves when it has stopped; a worker that is killed meanwhile never does. */
export async function stop({ world, broken }: Stage, actor: Actor): Promise<void> {
  const { worker, projector, hasStarted } = actor;
  actor.stopping = true;
  try {
    await projector[Symbol.asyncDispose]();
    if (hasStarted && !world.isIdle(worker)) throw new BrokenPromise('a worker has stopped and still works');
  } catch (thrown) {
    broken.push(thrown as Error);
  }
}

export function partsOf({ log, documents, planted, world }: Stage, worker: Worker): ProjectorParts {
  const connected = { log: connectLog(log, worker), documents: connectDocuments(documents, worker) };
  return {
    log: planted.log?.(connected.log) ?? connected.log,
    documents: planted.documents?.(connected.documents) ?? connected.documents,
    projections: [NOTES_AND_MARKS],
    decode,
    clock: worker.clock,
    logger: createLogger('silent', worker.name),
    metrics: createProjectorMetrics(new Registry()),
    rejectedTopic: 'rejected',
    topicName: (topic) => topic,
    batchRecords: 6,
    random: () => world.random(),
  };
}

/** Ends the run with the first thing that the watch has found. */
export function failIfBroken({ broken: [first] }: Stage): void {
  if (first instanceof BrokenPromise || first === undefined) {
    if (first) throw first;
  } else {
    throw new BrokenPromise(`unexpected: ${first.message}`, { cause: first });
  }
}
