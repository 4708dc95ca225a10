import type { Log, Place, Position } from '../../events/log/port.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Halt } from '../../findings/finding.ts';
import {
  CHECKPOINTS,
  haltOf,
  laneName,
  partitionName,
  type Checkpoint,
  type LaneId,
} from '../engine/lane.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';

/** How far one lane has come. */
export interface LaneProgress extends LaneId {
  /** The checkpoint; null where no worker has claimed the lane yet. */
  readonly position: Position | null;
  readonly earliest: Position;
  /** The position that the next record will get. */
  readonly latest: Position;
  /** How far can be read now: below `latest` where a transaction is open. */
  readonly readable: Position;
  /** Positions between the checkpoint and the end of the log: the number of records to go, or a little more. */
  readonly lag: number;
  readonly halted: Halt | null;
  readonly checkpoint: Checkpoint | null;
}

/** A build, as far as it has to be known to tell its lanes. */
export type Lanes = Pick<Projection, 'name' | 'version' | 'build' | 'topics'>;

export interface ProgressParts {
  readonly log: Log;
  readonly documents: Documents;
  readonly projections: readonly Lanes[];
  readonly topicName: (topic: string) => string;
}

/** Every lane of every projection, from the checkpoints and the ends of the log, of all workers. */
export async function readProgress(parts: ProgressParts): Promise<readonly LaneProgress[]> {
  const ends = await readEnds(parts);
  const checkpoints = await parts.documents.get<Checkpoint>(CHECKPOINTS.name, ends.map(laneName));
  const lanes = ends.map((lane) => progressOf(lane, checkpoints.get(laneName(lane))?.body ?? null));
  if (lanes.every(({ position, latest }) => position === null || position <= latest)) return lanes;
  // A checkpoint beyond the end: records that came in between, or a log that is younger than its checkpoint.
  const newer = new Map((await readEnds(parts)).map((lane) => [laneName(lane), lane]));
  return lanes.map((lane) => progressOf(newer.get(laneName(lane)) ?? lane, lane.checkpoint));
}

type LaneEnds = LaneId & Pick<LaneProgress, 'earliest' | 'latest' | 'readable'>;

/** All of them at once: a log may read them in one go. */
async function readEnds({ log, projections, topicName }: ProgressParts): Promise<readonly LaneEnds[]> {
  const asked = projections.flatMap((projection) =>
    projection.topics.map(async (name) => {
      const lane = { readModel: collectionOf(projection), topic: topicName(name) };
      const ends = await log.ends(lane.topic);
      return ends.map((end) => ({ ...lane, readable: end.latest, ...end }));
    }),
  );
  return (await Promise.all(asked)).flat();
}

function progressOf(ends: LaneEnds, checkpoint: Checkpoint | null): LaneProgress {
  const position = checkpoint?.position ?? null;
  const lag = Math.max(0, ends.latest - (position ?? ends.earliest));
  const halted = checkpoint && (checkpoint.halted ?? haltOf(checkpoint, ends));
  return { ...ends, position, lag, halted, checkpoint };
}

/** Whether a lane has read all that can be read, and an open transaction keeps the rest from it. */
export function waitsForTransaction({ position, earliest, latest, readable }: LaneProgress): boolean {
  return (position ?? earliest) >= readable && readable < latest;
}

/**
 * How long the oldest record that a lane has not consumed has been in the log, in milliseconds; null where there is none,
 * or none that can be read. `now` is the time of the documents store: a record's own is the broker's, and both are
 * clocks of servers, while that of a worker may be anything.
 */
export async function lagAge(
  log: Log,
  lane: LaneProgress,
  now: number,
  signal: AbortSignal,
): Promise<number | null> {
  const { topic, partition } = lane;
  const from = Math.max(lane.position ?? lane.earliest, lane.earliest);
  // What cannot be read yet would be waited for.
  if (from >= lane.readable) return null;
  for await (const batch of log.read({ topic, partition, from, to: from + 1, signal })) {
    const [record] = batch.records;
    // The log's clock may be ahead of the store's.
    if (record) return Math.max(0, now - record.timestamp);
  }
  return null;
}

/** How often what is waited for is looked at, in milliseconds. */
export const POLL_MS = 20;

/** `halted`: a lane that has to read one of the places waits for an operator. */
export type WaitOutcome = 'reached' | 'halted' | 'stopped';

/**
 * Waits until every lane that reads these places has consumed them, or one of those lanes has halted, or the signal is
 * aborted. A place that no projection reads is reached at once.
 */
export async function waitFor(
  parts: ProgressParts,
  places: readonly Place[],
  { clock, signal, onProgress, pollMs = POLL_MS }: WaitOptions,
): Promise<WaitOutcome> {
  const targets = new Map<string, Position>();
  for (const place of places) {
    const key = partitionName(place);
    targets.set(key, Math.max(targets.get(key) ?? 0, place.position + 1));
  }
  for (;;) {
    const behind = (await readProgress(parts)).map((lane) => {
      const target = targets.get(partitionName(lane)) ?? 0;
      const left = Math.max(0, target - (lane.position ?? lane.earliest));
      // The checkpoint of a lane that has halted may be of another log, and say nothing of these records. Only the lane says so for
      // certain: what one reading of the log says may be over with the next.
      const halt = left > 0 ? lane.halted : (lane.checkpoint?.halted ?? null);
      return { isHalted: target > 0 && halt !== null, left };
    });
    const left = behind.reduce((sum, lane) => sum + lane.left, 0);
    onProgress?.(left);
    if (behind.some(({ isHalted }) => isHalted)) return 'halted';
    if (left === 0) return 'reached';
    if (signal.aborted) return 'stopped';
    await clock.sleep(pollMs, signal);
  }
}

export interface WaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Default `POLL_MS`. */
  readonly pollMs?: number;
  /** Called with the number of positions still to consume. */
  readonly onProgress?: (left: number) => void;
}
