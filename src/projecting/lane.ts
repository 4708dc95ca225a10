import type { PartitionEnds, Position } from '../events/log/port.ts';
import { newVersion, type CollectionSpec, type Documents, type Version } from '../stores/documents/port.ts';

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
export function laneTurn({ readModel, partition }: LaneId): string {
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
  readonly halted: Halt | null;
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
  /** The lane's work failed in a way that no repetition mends. */
  | { readonly reason: 'failed'; readonly message: string };

/** One line for people, with what to do next. */
export function explainHalt(lane: LaneId, halt: Halt): string {
  const name = laneName(lane);
  const accept = `or accept it with --accept-gap ${name}`;
  switch (halt.reason) {
    case 'gap':
      return `${name}: the log no longer holds the records ${halt.from} to ${halt.to - 1}, which were not read. Restore the log, ${accept}.`;
    case 'log_younger':
      return `${name}: the log ends at ${halt.latest}, before the checkpoint ${halt.position}: it was made anew or restored from an older backup. Bring the right log back, ${accept}, which folds the new log from its start into what is there.`;
    case 'failed':
      return `${name}: ${halt.message}. Mend the cause and start the projector again.`;
  }
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
  /** Reads the ends of the lane's partition. */
  readonly ends: () => Promise<PartitionEnds>;
  /** Starts a lane that would halt at the log's earliest record instead, and counts from there. */
  readonly acceptGap: boolean;
}

/** Takes the lane over and says where to start. A lane without a checkpoint starts at the log's earliest record. */
export async function claimLane(
  documents: Documents,
  lane: LaneId,
  { owner, ends: readEnds, acceptGap }: ClaimOptions,
): Promise<Claim> {
  for (;;) {
    const stored = (await documents.get<Checkpoint>(CHECKPOINTS.name, [laneName(lane)])).get(laneName(lane));
    // After the checkpoint: older ends would make a log that another worker has read further look too young.
    const ends = await readEnds();
    const before = stored?.body ?? beginning(lane, ends.earliest);
    const halt = haltOf(before, ends);
    const accepted = acceptGap ? halt : null;
    const start = accepted ? acceptedStart(before, accepted, ends.earliest) : before;
    const halted = accepted ? null : halt;
    const held: HeldLane = {
      version: newVersion(),
      checkpoint: { ...start, epoch: before.epoch + 1, owner, halted },
    };
    if (!(await replace(documents, stored?.version ?? null, held))) continue;
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
    halted: null,
  };
}

function acceptedStart(before: Checkpoint, halt: Halt, position: Position): Checkpoint {
  const incarnation = before.incarnation + (halt.reason === 'log_younger' ? 1 : 0);
  return { ...beginning(before, position), incarnation };
}

/** Why a lane at this checkpoint cannot go on with this log; null where it can. */
export function haltOf({ position }: Checkpoint, { earliest, latest }: PartitionEnds): Halt | null {
  if (position < earliest) return { reason: 'gap', from: position, to: earliest };
  if (position > latest) return { reason: 'log_younger', position, latest };
  return null;
}

async function replace(documents: Documents, read: Version | null, next: HeldLane): Promise<boolean> {
  const write = { id: laneName(next.checkpoint), read, version: next.version, body: next.checkpoint };
  const [outcome] = await documents.write(CHECKPOINTS.name, [write]);
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

/** The lane's state after some more records. */
export function consumed({ checkpoint }: HeldLane, position: Position, counts: Counts): HeldLane {
  return {
    version: newVersion(),
    checkpoint: {
      ...checkpoint,
      position,
      counts: {
        applied: checkpoint.counts.applied + counts.applied,
        superseded: checkpoint.counts.superseded + counts.superseded,
        parked: checkpoint.counts.parked + counts.parked,
        ignored: checkpoint.counts.ignored + counts.ignored,
      },
    },
  };
}

/** Marks a held lane as halted, for `status` and the readiness check; the position stays. */
export function halting({ checkpoint }: HeldLane, halt: Halt): HeldLane {
  return { version: newVersion(), checkpoint: { ...checkpoint, halted: halt } };
}
