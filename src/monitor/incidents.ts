import type { Evidence, Incident, Machine, State } from './machine-state.ts';
import type { Policy } from './policy.ts';

/**
 * Incidents of one target. One opens when the target enters degraded or down and none is open, and closes when it
 * enters up. Silence neither opens nor closes it. One that starts soon after the last one was resolved is that one.
 */

/** The last incident once the target enters this state, at the time at which it does. */
export function withIncident(machine: Machine, entered: State, at: number, policy: Policy): Incident | null {
  const last = machine.incident;
  const isOpen = last !== null && last.resolved === null;
  switch (entered) {
    case 'unknown':
      return last;
    case 'up':
      // No earlier than it started: a check may stand up to ten minutes away from the round that it tells of.
      return isOpen ? { ...last, resolved: Math.max(last.started, machine.run?.okAt ?? at) } : last;
    case 'degraded':
    case 'down': {
      if (isOpen) return { ...last, severity: worse(last.severity, entered) };
      const opened = openedBy(machine, entered, at, policy);
      return last && isSame(last, opened, policy)
        ? { ...last, resolved: null, severity: worse(last.severity, entered) }
        : opened;
    }
  }
}

/** Whether the machine has moved on from one incident to another one. */
export function isAnother(before: Incident | null, after: Incident | null): before is Incident {
  return before !== null && before.detected !== after?.detected;
}

/** The rounds that cause the change: those of the shortest run or window that asks for it. */
function evidenceFor(machine: Machine, entered: State, policy: Policy): readonly Evidence[] {
  const { state, window } = machine;
  const failed = machine.run?.result === 'fail' ? machine.run.rounds : 0;
  const ofUp =
    entered === 'down' || failed >= policy.fail_rounds ? policy.fail_rounds : policy.degraded_window;
  const rounds = state === 'unknown' ? policy.recover_rounds : ofUp;
  return window.slice(-rounds).filter((round) => round !== null);
}

function openedBy(machine: Machine, severity: Incident['severity'], at: number, policy: Policy): Incident {
  const evidence = evidenceFor(machine, severity, policy);
  // Without evidence flapping alone holds a target that is back from silence, and ok: the incident starts with the run
  // that brought it back. The same run may close it, and both ends are then the same check.
  const first = machine.run?.okAt ?? at;
  return {
    started: evidence.length === 0 ? first : Math.min(...evidence.map(({ notOkAt }) => notOkAt)),
    detected: at,
    resolved: null,
    severity,
    cause: mostFrequent(evidence.flatMap(({ causes }) => causes)),
  };
}

function mostFrequent(causes: readonly string[]): string | null {
  const counts = [...Map.groupBy(causes, (cause) => cause)];
  counts.sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1));
  return counts[0]?.[0] ?? null;
}

function isSame(last: Incident, opened: Incident, { reopen_s }: Policy): boolean {
  return last.resolved !== null && opened.started - last.resolved <= reopen_s * 1000;
}

function worse(a: Incident['severity'], b: Incident['severity']): Incident['severity'] {
  return a === 'down' ? a : b;
}
