import { problem, type Finding, note, type Halt } from '../../findings/finding.ts';
import { healthOf, type Health } from '../../findings/findings-to-readiness.ts';
import { counted, number } from '../../texts/english-amounts.ts';
import { laneName, type LaneId } from '../engine/lane.ts';
import { waitsForTransaction, type LaneProgress } from '../inspect/lane-progress.ts';
import type { LiveOwner } from './lane-owners.ts';
import { type StallState, type ObservedLane, STALL_MS } from './stall.ts';

/** A lane that is assigned to a projector, with how far it has come; null where the log does not tell of it. */
export interface SeenLane extends LiveOwner {
  readonly lane: LaneId;
  readonly progress: LaneProgress | null;
}

/**
 * Ready is: every lane is claimed, and moves or has nothing to read. Not ready is: a lane has halted, or has stood still
 * for too long, for any reason. What lasts for less, and an open transaction, which somebody else has to end, is only
 * mentioned. `abandoned` are lanes that no live projector has: of a read model that this one has no lane of, it should have been
 * given them. `standing` says for how long. `now`: the time of the documents store.
 */
export function judge(
  lanes: readonly SeenLane[],
  now: number,
  abandoned: readonly Pick<ObservedLane, 'name' | 'left'>[] = [],
  standing: ReadonlyMap<string, StallState> = new Map(),
): Health {
  const findings: Finding[] = [];
  for (const { name, left: waiting } of abandoned) {
    const ms = standing.get(name)?.ms ?? 0;
    if (ms >= ABANDONED_MS) findings.push(problem(name, now - ms, { code: 'no_owner', waiting }));
  }
  for (const { lane: id, progress, ...live } of lanes) {
    const [lane, waiting] = [laneName(id), progress?.lag ?? 0];
    // One look at the log's ends may err: the engine halts a lane once three agree, and notes it.
    const halted = progress?.checkpoint?.halted ?? null;
    const isWaiting = progress !== null && waitsForTransaction(progress);
    findings.push(...findingsOfLane({ lane, halted, live, waiting, waitsForTransaction: isWaiting }, now));
  }
  const behind = lanes.reduce((sum, { progress }) => sum + (progress?.lag ?? 0), 0);
  return healthOf(findings, `${counted(lanes.length, 'lane')}, ${number(behind)} behind`);
}

/** A log gives the lanes of a projector that has died to another one in less, in milliseconds. */
const ABANDONED_MS = 30_000;

/** What is known of one lane. */
export interface LaneFacts {
  readonly lane: string;
  readonly halted: Halt | null;
  /** What its live projector says of it; null where none speaks of it. */
  readonly live: LiveOwner | null;
  /** Records that it has still to take in. */
  readonly waiting: number;
  readonly waitsForTransaction: boolean;
}

/** What a projector is not ready for, and what it only mentions: what passes by itself is given a while before it is a problem. */
export function* findingsOfLane(facts: LaneFacts, now: number): Generator<Finding> {
  const { lane, live, waiting, halted: halt } = facts;
  // A halt stands in the checkpoint, or is known to the worker alone: the store may have been down when it halted.
  if (halt !== null || live?.state === 'halted') {
    const reason = halt === null ? (live?.reason ?? null) : null;
    return yield problem(lane, live?.since ?? null, { code: 'halted', halt, reason });
  }
  if (live === null) return;
  const { state, since, where } = live;
  const report = now - since >= STALL_MS ? problem : note;
  if (state === 'paused') yield report(lane, since, { code: 'paused', where, reason: live.reason });
  if (state === 'claiming') yield report(lane, since, { code: 'not_claimed', where, reason: live.reason });
  if (state === 'stalled') yield problem(lane, since, { code: 'stalled', where, reason: live.reason });
  if (facts.waitsForTransaction) yield note(lane, null, { code: 'waits_for_transaction', waiting });
}
