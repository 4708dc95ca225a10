import type { Machine, State } from './machine-state.ts';
import type { Policy } from './policy.ts';

/**
 * A target whose state changes too often flaps: it is held at degraded until it has been ok for a while, or falls
 * silent. Either clears the count of changes. What the rounds ask for while it is held changes nothing and is not
 * counted.
 */

/** The changes of at most `flap_window_s` before this moment; the very list given where all of them are. */
export function recentChanges(changes: Machine['changes'], at: number, policy: Policy): Machine['changes'] {
  const isRecent = (change: number) => at - change <= policy.flap_window_s * 1000;
  return changes.every(isRecent) ? changes : changes.filter(isRecent);
}

/** What becomes of a change of state that the rounds ask for. */
export function withChange(
  machine: Machine,
  asked: State,
  at: number,
  policy: Policy,
): Pick<Machine, 'state' | 'changes' | 'flapping'> {
  // Only enough ok rounds, or silence, ask for a change of what is held.
  if (machine.flapping) return { state: asked, changes: [], flapping: false };
  const changes = [...recentChanges(machine.changes, at, policy), at];
  if (asked === 'unknown' || changes.length <= policy.flap_changes) {
    return { state: asked, changes, flapping: false };
  }
  return { state: 'degraded', changes: [], flapping: true };
}
