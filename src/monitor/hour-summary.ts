import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { type HourView, hourView } from '../../projections/monitor/document.ts';
import { ROUNDS_IN_HOUR } from '../../projections/monitor/hours.ts';
import { latenciesOf } from './histogram.ts';
import { isAnother } from './incidents.ts';
import {
  type Incident,
  type Machine,
  type Transition,
  incident,
  machine,
  transition,
} from './machine-state.ts';
import { afterRound, afterSilence } from './state-machine.ts';
import type { Policy } from './policy.ts';
import { countsAt, judge } from './rounds.ts';

/**
 * Summaries of closed hours, so that a start does not read a hundred days of probes. Each one goes on where the one
 * before it ended, so they form a chain: a summary holds as long as the hour's document has the version it was made
 * from, and `isCurrent` says that the chain before it and the policy are still the same.
 */

/** Raised with every change of the rules: summaries kept by an older release are then made again. */
const RULES = 2;

export const hourSummary = z.object({
  ...hourView.pick({ target: true, hour: true }).shape,
  /** The rules and the numbers in them that it was made by. */
  rules: z.string(),
  /** The machine at the end of the hour before; null where this is the first. */
  start: machine.nullable(),
  /** The machine after the last round of the hour that somebody reported in: later silence belongs to what follows. */
  end: machine,
  /** The changes of state since `start`, with the beginning itself, as unknown, in the first hour. */
  transitions: z.array(transition),
  /** The incidents that can change no more; the last one is still in `end`. */
  incidents: z.array(incident),
  /** Latencies of the hour's successful checks. */
  latency: z.array(z.tuple([z.int(), z.int()]).readonly()).readonly(),
});
export type HourSummary = z.infer<typeof hourSummary>;

/** Whether a summary still follows from the one before it, by these rules. */
export function isCurrent(summary: HourSummary, previous: HourSummary | null, rules: string): boolean {
  return summary.rules === rules && isDeepStrictEqual(summary.start, previous?.end ?? null);
}

export function rulesOf(policy: Policy): string {
  const byName = Object.entries(policy).sort(([a], [b]) => (a < b ? -1 : 1));
  return [RULES, ...byName.map(([, value]) => value)].join(' ');
}

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
function beforeRound(round: number): Machine {
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
