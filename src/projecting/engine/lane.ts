import type { PartitionEnds, Position } from '../../events/log/port.ts';
import { toInstant } from '../../platform/instant.ts';
import {
  newVersion,
  type CollectionSpec,
  type Documents,
  type Version,
} from '../../stores/documents/port.ts';
import type { Compared, LastRecord } from './last-record.ts';
import type { Fit } from './log-fit.ts';
import { Stopped } from './retry.ts';

/**
 * A lane is one projection version reading one partition of one topic. Its state is one guarded document: the
 * checkpoint. A worker *claims* the lane (epoch + 1), *advances* it after each batch, and finds out that it was
 * *replaced* when another worker's claim stands in the document. A lane whose checkpoint no longer fits the log is
 * *halted*: never reset in silence.
 */
export interface LaneId {
  /** The projection's version, as its collection is named: `listings@1`. */
  readonly readModel: string;
  readonly topic: string;
  readonly partition: number;
}

export const CHECKPOINTS: CollectionSpec = { name: 'checkpoints', indexes: [] };

/** `listings@1/catalog.entries/0` */
export function laneName({ readModel, topic, partition }: LaneId): string {
  return `${readModel}/${topic}/${partition}`;
}

/**
 * Lanes of one partition number take turns: the same key has the same partition number on every topic, so they share
 * documents, and would only run into each other's guards. Lanes of different numbers share none and run side by side.
 */
export function serialKey({ readModel, partition }: LaneId): string {
  return `${readModel}/${partition}`;
}

export interface Checkpoint extends LaneId {
  /** The position after the last record whose effect is durable. */
  readonly position: Position;
  /** Raised by every claim. */
  readonly epoch: number;
  readonly owner: string;
  /** What became of every record since the lane's beginning; their sum is the number of records consumed. */
  readonly counts: Counts;
  /** How often a younger log was accepted: a position means another record under each. */
  readonly incarnation: number;
  /** The last record consumed; null before the first, and after another log was accepted. */
  readonly last: LastRecord | null;
  /** What the latest comparison of that record with the log found; null where there is nothing to compare. */
  readonly compared: Compared | null;
  readonly halted: Halt | null;
  readonly paused: Pause | null;
}

/** Work on a lane that fails is repeated by itself; meanwhile this says so, as far as the documents can be written. */
export interface Pause {
  /** When it began, by the worker's clock: Unix milliseconds. */
  readonly since: number;
  /** What failed, in one line for people. */
  readonly reason: string;
}

export interface Counts {
  readonly applied: number;
  readonly superseded: number;
  readonly parked: number;
  readonly ignored: number;
}

export const NO_COUNTS: Counts = { applied: 0, superseded: 0, parked: 0, ignored: 0 };

export type Halt =
  /** The log has forgotten records that were not yet read: [from, to). */
  | { readonly reason: 'gap'; readonly from: Position; readonly to: Position }
  /** The log ends before the checkpoint: it was made anew, or restored from an older backup. */
  | { readonly reason: 'log_younger'; readonly position: Position; readonly latest: Position }
  /**
   * Where the last consumed record stood, at `position`, stands another one: the log was made again, or restored, and
   * has grown past the checkpoint. `time` was the record's, `found` is the other one's: Unix milliseconds.
   */
  | {
      readonly reason: 'log_replaced';
      readonly position: Position;
      readonly time: number;
      readonly found: number;
    };

/** One line for people, with what to do next. */
export function explainHalt(lane: LaneId, halt: Halt): string {
  const name = laneName(lane);
  const accept = `or accept it with --accept-gap ${name}`;
  switch (halt.reason) {
    case 'gap':
      return `${name}: the log no longer holds the records ${halt.from} to ${halt.to - 1}, which were not read. Restore the log, ${accept}.`;
    case 'log_younger':
      return `${name}: the log ends at ${halt.latest}, before the checkpoint ${halt.position}: it was made anew or restored from an older backup. Bring the right log back, ${accept}, which folds the new log from its start into what is there.`;
    case 'log_replaced':
      return `${name}: at ${halt.position} the log holds a record of ${timeOf(halt.found)}, where one of ${timeOf(halt.time)} was consumed: it was made anew or restored from an older backup, and has grown past the checkpoint. Bring the right log back, ${accept}, which folds the new log from its start into what is there.`;
  }
}

/** Producers may give their records any time at all. */
function timeOf(ms: number): string {
  return toInstant(ms) ?? `${ms} ms`;
}

/** One line for people, where a log could not be compared with what was read of it; null where it could. */
export function explainNotCompared({ last, compared, ...lane }: Checkpoint): string | null {
  if (last === null || compared === null || compared === 'same') return null;
  const why =
    compared === 'absent'
      ? `the log no longer holds the record at ${last.position}, the last one that was consumed`
      : `the record at ${last.position}, the last one that was consumed, cannot be read`;
  return `${laneName(lane)}: ${why}: whether it is still the same log is not known until the next record is consumed.`;
}

/** A lane in this worker's hands. */
export interface HeldLane {
  readonly checkpoint: Checkpoint;
  readonly version: Version;
}

export type Claim =
  /** `accepted` is the halt that the operator chose to go on from. */
  | { readonly outcome: 'claimed'; readonly held: HeldLane; readonly accepted: Halt | null }
  | { readonly outcome: 'halted'; readonly halt: Halt };

export interface ClaimOptions {
  readonly owner: string;
  /** Compares the log with a checkpoint, null where there is none, and is certain of what it says (log-fit.ts). */
  readonly fit: (checkpoint: Checkpoint | null) => Promise<Fit>;
  /** Starts a lane that would halt at the log's earliest record instead, and counts from there. */
  readonly acceptGap: boolean;
  /** Aborted when the partition is no longer this worker's: it then writes no claim any more. */
  readonly signal: AbortSignal;
}

/**
 * Takes the lane over and says where to start. A lane without a checkpoint starts at the log's earliest record.
 * @throws {Stopped} where the signal was aborted before the claim was written.
 */
export async function claimLane(
  documents: Documents,
  lane: LaneId,
  { owner, fit, acceptGap, signal }: ClaimOptions,
): Promise<Claim> {
  for (;;) {
    const stored = (await documents.get<Checkpoint>(CHECKPOINTS.name, [laneName(lane)])).get(laneName(lane));
    // After the checkpoint: older ends would make a log that another worker has read further look too young.
    const { ends, halt, compared } = await fit(stored?.body ?? null);
    const before = stored?.body ?? beginning(lane, ends.earliest);
    const accepted = acceptGap ? halt : null;
    const start = accepted ? acceptedStart(before, accepted, ends.earliest) : before;
    const halted = accepted ? null : halt;
    const held: HeldLane = {
      version: newVersion(),
      checkpoint: { ...start, epoch: before.epoch + 1, owner, halted, compared, paused: null },
    };
    if (signal.aborted) throw new Stopped('the partition was taken away before the lane was claimed');
    if (!(await replace(documents, stored?.version ?? null, held, signal))) continue;
    return halted ? { outcome: 'halted', halt: halted } : { outcome: 'claimed', held, accepted };
  }
}

function beginning({ readModel, topic, partition }: LaneId, position: Position): Checkpoint {
  return {
    readModel,
    topic,
    partition,
    position,
    epoch: 0,
    owner: '',
    counts: NO_COUNTS,
    incarnation: 0,
    last: null,
    compared: null,
    halted: null,
    paused: null,
  };
}

function acceptedStart(before: Checkpoint, halt: Halt, position: Position): Checkpoint {
  const incarnation = before.incarnation + (halt.reason === 'gap' ? 0 : 1);
  return { ...beginning(before, position), incarnation };
}

/** Why a lane at this position cannot go on between these ends of the log; null where they do not forbid it. */
export function haltOf(
  { position }: Pick<Checkpoint, 'position'>,
  { earliest, latest }: PartitionEnds,
): Halt | null {
  if (position < earliest) return { reason: 'gap', from: position, to: earliest };
  if (position > latest) return { reason: 'log_younger', position, latest };
  return null;
}

async function replace(
  documents: Documents,
  read: Version | null,
  next: HeldLane,
  signal?: AbortSignal,
): Promise<boolean> {
  const write = { id: laneName(next.checkpoint), read, version: next.version, body: next.checkpoint };
  const [outcome] = await documents.write(CHECKPOINTS.name, [write], signal ? { signal } : {});
  return outcome === 'done';
}

/**
 * Writes the lane's next checkpoint. null where another worker has claimed the lane since: let it go.
 * Safe to repeat with the same `next` after a lost answer.
 */
export async function advanceLane(
  documents: Documents,
  held: HeldLane,
  next: HeldLane,
): Promise<HeldLane | null> {
  return (await replace(documents, held.version, next)) ? next : null;
}

/** The lane's state after some more records; `last` is the last of them, null where they were a hole. */
export function consumed(
  { checkpoint }: HeldLane,
  position: Position,
  counts: Counts,
  last: LastRecord | null = null,
): HeldLane {
  return {
    version: newVersion(),
    checkpoint: {
      ...checkpoint,
      position,
      ...(last && { last, compared: 'same' }),
      paused: null,
      counts: {
        applied: checkpoint.counts.applied + counts.applied,
        superseded: checkpoint.counts.superseded + counts.superseded,
        parked: checkpoint.counts.parked + counts.parked,
        ignored: checkpoint.counts.ignored + counts.ignored,
      },
    },
  };
}

/** What a worker has found out of a lane that it holds, for `status`; the position stays. */
export function noted(
  { checkpoint }: HeldLane,
  found: Partial<Pick<Checkpoint, 'halted' | 'paused' | 'compared'>>,
): HeldLane {
  return { version: newVersion(), checkpoint: { ...checkpoint, ...found } };
}
