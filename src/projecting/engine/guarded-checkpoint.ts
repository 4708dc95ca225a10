import type { Halt } from '../../findings/finding.ts';
import type { Position } from '../../events/log/port.ts';
import { newVersion, type Documents, type Version } from '../../stores/documents/port.ts';
import {
  CHECKPOINTS,
  laneName,
  NO_COUNTS,
  type Checkpoint,
  type Counts,
  type LaneId,
  type LastRecord,
} from './lane.ts';
import type { Fit } from './log-fit.ts';
import { StoppedError } from './retry.ts';

/** A lane in this worker's hands. */
export interface HeldLane {
  readonly checkpoint: Checkpoint;
  readonly version: Version;
}

type Claim =
  /** `accepted` is the halt that the operator chose to go on from. */
  | { readonly outcome: 'claimed'; readonly held: HeldLane; readonly accepted: Halt | null }
  | { readonly outcome: 'halted'; readonly halt: Halt };

interface ClaimOptions {
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
 * @throws {StoppedError} where the signal was aborted before the claim was written.
 */
export async function claimLane(
  documents: Documents,
  lane: LaneId,
  { owner, fit, acceptGap, signal }: ClaimOptions,
): Promise<Claim> {
  for (;;) {
    const stored = (await documents.get<Checkpoint>(CHECKPOINTS.name, [laneName(lane)])).get(laneName(lane));
    // After the checkpoint: older ends would make a log that another worker has read further look too young.
    const { ends, halt } = await fit(stored?.body ?? null);
    const before = stored?.body ?? beginning(lane, ends.earliest);
    const accepted = acceptGap ? halt : null;
    const start = accepted ? acceptedStart(before, accepted, ends.earliest) : before;
    const halted = accepted ? null : halt;
    const held: HeldLane = {
      version: newVersion(),
      checkpoint: { ...start, epoch: before.epoch + 1, owner, halted, quiet: null },
    };
    if (signal.aborted) throw new StoppedError('the partition was taken away before the lane was claimed');
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
    halted: null,
    quiet: null,
  };
}

function acceptedStart(before: Checkpoint, halt: Halt, position: Position): Checkpoint {
  const incarnation = before.incarnation + (halt.reason === 'gap' ? 0 : 1);
  return { ...beginning(before, position), incarnation };
}

/** False where another worker has claimed the lane since. Safe to repeat with the same `next` after a lost answer. */
async function replace(documents: Documents, read: Version | null, next: HeldLane, signal?: AbortSignal) {
  const write = { id: laneName(next.checkpoint), read, version: next.version, body: next.checkpoint };
  const [outcome] = await documents.write(CHECKPOINTS.name, [write], signal ? { signal } : {});
  return outcome === 'done';
}

/** The lane's state after some more records; `last` is the last of them, null where they were a hole. */
export function advanceLane(
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
      ...(last && { last }),
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
export function annotateLane(
  { checkpoint }: HeldLane,
  found: Partial<Pick<Checkpoint, 'halted' | 'quiet'>>,
): HeldLane {
  return { version: newVersion(), checkpoint: { ...checkpoint, ...found } };
}

/** Another worker has claimed the lane: what stands in the checkpoint is no longer this worker's. */
export class LaneReplaced extends Error {
  override readonly name = 'LaneReplaced';
}

/** Makes the next state of a checkpoint. The same function, given again, means the same write. */
export type NextState = (held: HeldLane) => HeldLane;

/**
 * The checkpoint of a claimed lane, written by one caller at a time:
 *
 *   known --write--> pending --answered: done--> known     pending --answered: conflict--> Replaced
 *   pending --no answer--> pending: the same write is repeated before any other
 */
export function guardCheckpoint(documents: Documents, claimed: HeldLane) {
  let held = claimed;
  let pending: { readonly make: NextState; readonly next: HeldLane } | null = null;

  /** Makes sure of a write whose answer was lost. @throws {LaneReplaced} as `write`. */
  async function finish(): Promise<void> {
    if (!pending) return;
    const { next } = pending;
    const isOurs = await replace(documents, held.version, next);
    pending = null;
    if (!isOurs) throw new LaneReplaced('another worker has claimed the lane');
    held = next;
  }

  return {
    /** As it is known to stand. */
    get checkpoint(): Checkpoint {
      return held.checkpoint;
    },
    /**
     * Writes the next state. Where that fails, what became of it is not known: repeat it, or `finish` it.
     * @throws {LaneReplaced} where another worker has claimed the lane.
     */
    write: async (make: NextState): Promise<void> => {
      const isSame = pending?.make === make;
      await finish();
      if (isSame) return;
      pending = { make, next: make(held) };
      await finish();
    },
    finish,
    /** Looks whether the lane is still this worker's. @throws {LaneReplaced} where it is not. */
    requireOwn: async (): Promise<void> => {
      const name = laneName(held.checkpoint);
      const stored = (await documents.versions(CHECKPOINTS.name, [name])).get(name);
      if (stored === held.version || stored === pending?.next.version) return;
      throw new LaneReplaced('another worker has claimed the lane');
    },
  };
}

export type GuardedCheckpoint = ReturnType<typeof guardCheckpoint>;
