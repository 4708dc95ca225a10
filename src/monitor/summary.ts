import type { HourView } from '../../projections/monitor/document.ts';
import { ROUNDS_IN_HOUR } from '../../projections/monitor/hours.ts';
import { latenciesOf } from './histogram.ts';
import { type HourSummary, rulesOf } from './hour-summary.ts';
import { isAnother } from './incidents.ts';
import type { Incident, Machine, Transition } from './machine-state.ts';
import { afterRound, afterSilence } from './machine.ts';
import type { Policy } from './policy.ts';
import { countsAt, judge } from './rounds.ts';

/**
 * The summary of an hour, given that of the target's hour before it (the newest one that has a document, however long
 * ago; null for the first of the kept hours). Rounds after `through` are left out, for an hour that is not over.
 */
export function advanceHour(
  previous: HourSummary | null,
  view: HourView,
  policy: Policy,
  through: number = Number.POSITIVE_INFINITY,
): HourSummary {
  const stored = view.rounds.filter(({ round }) => round <= through);
  const first = stored[0]?.round ?? view.hour * ROUNDS_IN_HOUR;
  const start = previous?.end ?? null;
  // Of the hour of a removal nothing may be left: the first round is still to come.
  const begins = start === null || start.checkedAt === null;
  const transitions: Transition[] =
    begins && stored[0] ? [{ at: countsAt(first, policy), state: 'unknown' }] : [];
  const incidents: Incident[] = [];
  let current = begins ? beforeRound(first) : start;
  const take = (next: Machine): void => {
    transitions.push(...transitionsBetween(current, next, policy));
    if (isAnother(current.incident, next.incident)) incidents.push(current.incident);
    current = next;
  };
  for (const round of stored.map(judge)) {
    take(afterSilence(current, round.round - 1, policy));
    take(afterRound(current, round, policy));
  }
  return {
    target: view.target,
    hour: view.hour,
    rules: rulesOf(policy),
    start,
    end: current,
    transitions,
    incidents,
    latency: latenciesOf(stored),
  };
}

/** What one round, or one silence, has changed: the first of its silent rounds that are enough makes it unknown. */
export function transitionsBetween(before: Machine, after: Machine, policy: Policy): readonly Transition[] {
  if (before.state === after.state) return [];
  const round =
    after.state === 'unknown' ? before.round + policy.unknown_rounds - before.silent : after.round;
  return [{ at: countsAt(round, policy), state: after.state }];
}

/** The machine before its first round. */
export function beforeRound(round: number): Machine {
  return {
    round: round - 1,
    state: 'unknown',
    silent: 0,
    run: null,
    notFailed: 0,
    window: [],
    changes: [],
    flapping: false,
    incident: null,
    checkedAt: null,
  };
}
