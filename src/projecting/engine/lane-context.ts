import type { Decode } from '../../events/decode.ts';
import type { Assignment, Log } from '../../events/log/port.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { GuardedCheckpoint, NextState } from './guarded-checkpoint.ts';
import type { LaneId } from './lane.ts';
import type { LaneWatch } from './lane-states.ts';
import type { BuildThrottle } from './build-throttle.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import type { Retry } from './retry.ts';

export interface LaneParts {
  readonly log: Log;
  readonly documents: Documents;
  readonly decode: Decode;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ProjectorMetrics;
  /** Told of a read model when this worker has consumed something for it. */
  readonly onWritten?: (readModel: string) => void;
  /** The topic that rejected events are announced on. */
  readonly rejectedTopic: string;
  readonly batchRecords?: number;
  /** How builds that nobody sees yet leave readers the machine. Default: nobody is served in this process. */
  readonly throttle?: BuildThrottle;
  /** With so many records a pass is full. Default: see lane-pass.ts. */
  readonly passRecords?: number;
  /** The pause before a log that would halt a lane is looked at again, in milliseconds (log-fit.ts). */
  readonly readingPauseMs?: number;
  /** From 0 to 1, for the pauses; a simulation passes its own. */
  readonly random?: () => number;
}

/** What a lane shares with the other lanes of its worker. */
export interface LaneSurroundings {
  /** Names the worker in the checkpoints of the lanes it holds. */
  readonly owner: string;
  readonly queue: SerialQueue;
  readonly gate: BuildGate;
  /** Names of lanes that may go on despite a halt; one that has made use of it is taken out. */
  readonly acceptable: Set<string>;
  /** When the worker started: monotonic milliseconds. */
  readonly startedAt: number;
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal;
}

/** One lane that is assigned to this worker, and what all work on it needs. */
export interface LaneContext {
  readonly parts: LaneParts;
  readonly surroundings: LaneSurroundings;
  readonly lane: LaneId;
  readonly name: string;
  readonly assignment: Assignment;
  readonly watch: LaneWatch;
  /** Aborted when the partition is taken away or the worker stops: work in hand is finished, and nothing is tried again. */
  readonly signal: AbortSignal;
  readonly retry: Retry;
}

export const WRITING_CHECKPOINT = 'writing the checkpoint';

/** Writes the next state of the lane's checkpoint, and waits for a store that is in trouble. @throws {LaneReplaced} */
export function writeCheckpoint(
  { retry }: Pick<LaneContext, 'retry'>,
  held: GuardedCheckpoint,
  next: NextState,
): Promise<void> {
  return retry(WRITING_CHECKPOINT, () => held.write(next));
}

/** What the group says of the partition, once it answers: false where it is somebody else's, and where nobody waits any more. */
export function isStillOurs({ assignment, retry, signal }: LaneContext): Promise<boolean> {
  return retry('asking the group', () => assignment.confirm(signal));
}

/**
 * To be asked between reading the log and writing documents. So what a worker still writes that was replaced meanwhile
 * was in the log by then: whoever switches builds knows how far it may have come. @throws {LaneReplaced}
 */
export function requireOwn({ retry }: Pick<LaneContext, 'retry'>, held: GuardedCheckpoint): Promise<void> {
  return retry('looking whose the lane is', () => held.requireOwn());
}

/** What lanes have to know of the builds that they fold into, by the names of their collections. */
export interface BuildGate {
  /** Whether readers see the build: then upstream hears of what is parked. */
  isLive(build: string): boolean;
  /** The token of the pause that stands for the build, as far as this worker knows; null where none does. */
  pauseOf(build: string): string | null;
  /** Looks whether a pause stands now. Resolves when `pauseOf` knows. */
  look(build: string): Promise<void>;
  /** Calls the listener whenever `pauseOf` has come to know another pause of the build, until the signal is aborted. */
  onPause(build: string, listener: () => void, signal: AbortSignal): void;
}

export type SerialQueue = ReturnType<typeof createSerialQueue>;

/** A serial queue by key: work of one key runs one after the other, in the order asked for; other keys do not wait. */
export function createSerialQueue() {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, mine);
      return mine;
    },
  };
}
