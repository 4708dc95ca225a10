import { integer, oneOf, type Random, type Randoms } from './random.ts';
import { ROUNDS_A_DAY, TARGETS, VANTAGE_POINTS } from './targets.ts';

/**
 * Which faults the targets have, and when. A day's faults are drawn at once, from nothing but the seed and the day: so
 * those of any round are known without the rounds before it.
 */
export interface FaultProfile {
  /** Faults on a UTC day, over all targets together: at least and at most. */
  readonly faultsADay: readonly [number, number];
  readonly faults: readonly [FaultKind, ...FaultKind[]];
  /** The share of probes that are never reported, in good times too. */
  readonly lost: number;
}

interface FaultKind {
  readonly type: FaultType;
  /** How long it lasts, in rounds: at least and at most. */
  readonly rounds: readonly [number, number];
}

/**
 * - `outage`: it answers nobody.
 * - `slow`: it answers late.
 * - `partial`: one vantage point does not reach it.
 * - `flapping`: it goes and comes, every few minutes.
 * - `silence`: nobody probes it.
 */
type FaultType = 'outage' | 'slow' | 'partial' | 'flapping' | 'silence';

/** A newcomer usually finds everything up, and a few resolved incidents. */
export const FEW_FAULTS: FaultProfile = {
  faultsADay: [1, 2],
  faults: [
    { type: 'slow', rounds: [8, 25] },
    { type: 'partial', rounds: [8, 20] },
    { type: 'outage', rounds: [4, 9] },
  ],
  lost: 0,
};

/** Everything that the rules of the monitor tell apart, often enough to be seen in a few days. */
export const MANY_FAULTS: FaultProfile = {
  faultsADay: [3, 9],
  faults: [
    { type: 'slow', rounds: [5, 90] },
    { type: 'slow', rounds: [5, 30] },
    { type: 'partial', rounds: [5, 60] },
    { type: 'partial', rounds: [2, 15] },
    { type: 'outage', rounds: [3, 12] },
    { type: 'outage', rounds: [5, 90] },
    { type: 'flapping', rounds: [24, 80] },
    { type: 'silence', rounds: [1, 30] },
  ],
  lost: 0.002,
};

export interface Fault {
  readonly type: FaultType;
  /** The target's id. */
  readonly target: string;
  /** The one vantage point that a partial failure is seen from. */
  readonly point: string;
  readonly first: number;
  readonly last: number;
  /** Of the checks that fail in it. */
  readonly cause: Cause;
}

export type Cause = 'timeout' | 'dns' | 'tls' | 'refused' | 'status' | 'body' | 'other';

/** Timeouts are the most frequent. */
const CAUSES: readonly [Cause, ...Cause[]] = [
  'timeout',
  'timeout',
  'timeout',
  'status',
  'status',
  'refused',
  'tls',
  'dns',
  'body',
];

/** The fault that a target has in a round; null for none. `days` is a sequence for each UTC day. */
export function createFaultSchedule(
  profile: FaultProfile,
  days: Randoms,
): (target: string, round: number) => Fault | null {
  // Rounds are asked for in order, so one day at a time is enough.
  let known = { day: -1, faults: [] as readonly Fault[] };
  return (target, round) => {
    const day = Math.floor(round / ROUNDS_A_DAY);
    if (day !== known.day) known = { day, faults: faultsOf(profile, day, days(day)) };
    return (
      known.faults.find((fault) => fault.target === target && round >= fault.first && round <= fault.last) ??
      null
    );
  };
}

function faultsOf({ faultsADay, faults }: FaultProfile, day: number, random: Random): readonly Fault[] {
  return Array.from({ length: integer(random, ...faultsADay) }, () => {
    const { type, rounds } = oneOf(random, faults);
    const length = integer(random, ...rounds);
    // Within the day, whole.
    const first = day * ROUNDS_A_DAY + integer(random, 0, ROUNDS_A_DAY - length);
    return {
      type,
      target: oneOf(random, TARGETS).id,
      point: oneOf(random, VANTAGE_POINTS).id,
      first,
      last: first + length - 1,
      cause: oneOf(random, CAUSES),
    };
  });
}
