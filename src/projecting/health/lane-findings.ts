import { note, problem, type Finding, type Halt } from '../../findings/finding.ts';
import type { LiveOwner } from './owners.ts';
import { STALL_MS } from './stall.ts';

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
