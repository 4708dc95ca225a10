import type { Log, Position } from '../../events/log/port.ts';
import { readDocument } from '../../stores/documents/change.ts';
import { newVersion, type Documents } from '../../stores/documents/port.ts';
import type { Build } from '../../stores/builds.ts';
import { isAlive } from '../../stores/heartbeats.ts';
import { readWorkers, WORKERS } from '../../stores/workers.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { repeat } from '../../platform/time/repeat.ts';
import { CHECKPOINTS, laneName, type Checkpoint } from '../engine/lane.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';

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

/** What a projector knows of its lanes. */
export interface RunningLanes {
  readonly topicName: (topic: string) => string;
  /** Whether this projector has a lane, and runs it. */
  readonly isRunning: (lane: string) => boolean;
}

/** Whether this is the one, of several projectors, that does what is to be done once for a build. */
function ownsFirstLane({ topicName, isRunning }: RunningLanes, projection: Projection): boolean {
  const [topic = ''] = projection.topics;
  return isRunning(laneName({ readModel: collectionOf(projection), topic: topicName(topic), partition: 0 }));
}

/** What a projector does again and again for its builds. */
export interface BuildWork extends RunningLanes {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The builds that are projected here: asked at each look. */
  readonly builds: readonly Projection[];
}

/** Works for each build whose first lane this projector has; what failed is told, and tried again. */
export function repeatForBuilds(
  parts: BuildWork,
  lookMs: number,
  work: (build: Projection, signal: AbortSignal) => Promise<void>,
  failed: (what: { readonly build: string; readonly reason: string }) => void,
): AsyncDisposable {
  return repeat(parts.clock, lookMs, async (signal) => {
    for (const build of parts.builds.filter((one) => ownsFirstLane(parts, one))) {
      if (signal.aborted) return;
      await work(build, signal).catch((thrown: unknown) => {
        if (!signal.aborted) failed({ build: collectionOf(build), reason: messageOf(thrown) });
      });
    }
  });
}

/** A lane that is not known to be quiet, and who has it. */
interface BusyLane {
  readonly lane: string;
  /** `host:pid`; null where nobody speaks of it. */
  readonly where: string | null;
}

/** The lanes that may still write although they are to be quiet. One that has halted writes nothing. */
export async function busyLanes(
  documents: Pick<Documents, 'scan' | 'now' | 'declare'>,
  lanes: readonly Checkpoint[],
  token: string,
): Promise<readonly BusyLane[]> {
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

/** Where lanes of the target have to have come, by topic and partition. */
export type Goals = ReadonlyMap<string, Position>;

/**
 * As far as the lanes of the source may have written, once they are quiet: not their checkpoints, since a worker that was
 * killed, or was replaced, may have written documents of a batch that it did not checkpoint; but no batch is longer
 * than the log. A halted lane says nothing: what it has read may have been another log's.
 * @returns a line for people where the log does not know its end at the moment.
 */
export async function goalsOf(
  log: Pick<Log, 'ends'>,
  source: readonly Checkpoint[],
): Promise<Goals | string> {
  const goals = new Map<string, Position>();
  for (const topic of new Set(source.map((lane) => lane.topic))) {
    const ends = await log.ends(topic);
    for (const lane of source.filter((one) => one.topic === topic && one.halted === null)) {
      const found = ends.find(({ partition }) => partition === lane.partition);
      const end = found && (found.readable ?? found.latest);
      if (end === undefined || end < lane.position)
        return `the log does not say how far ${topic}/${lane.partition} is`;
      goals.set(placeOf(lane), end);
    }
  }
  return goals;
}

/**
 * The lanes of the target that have not come so far, with what is left. `topics` are those that its fold reads; null where
 * they are unknown: then every lane counts.
 */
export function lanesBehind(
  goals: Goals,
  target: readonly Checkpoint[],
  topics: ReadonlySet<string> | null,
): readonly { readonly lane: string; readonly left: number }[] {
  const positions = new Map(target.map((lane) => [placeOf(lane), lane.position]));
  return [...goals].flatMap(([lane, goal]) => {
    if (topics?.has(lane.slice(0, lane.lastIndexOf('/'))) === false) return [];
    const left = goal - (positions.get(lane) ?? 0);
    return left > 0 ? [{ lane, left }] : [];
  });
}

/**
 * The topics that a build's fold reads, as was noted when it was begun: its lanes may have begun in some of them alone. Null
 * where nothing was noted.
 */
export function topicsOf(build: Pick<Build, 'targets'> | null): ReadonlySet<string> | null {
  const lanes = Object.keys(build?.targets ?? {});
  if (lanes.length === 0) return null;
  return new Set(lanes.map((lane) => lane.slice(lane.indexOf('/') + 1, lane.lastIndexOf('/'))));
}

function placeOf({ topic, partition }: Pick<Checkpoint, 'topic' | 'partition'>): string {
  return `${topic}/${partition}`;
}
