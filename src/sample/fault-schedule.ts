import faults from './data/faults.json' with { type: 'json' };
import { integer, oneOf, type Random, type Randoms } from './random.ts';
import { ROUNDS_A_DAY, TARGETS, VANTAGE_POINTS } from './targets.ts';

/**
 * Which faults the targets have, and when. A day's faults are drawn at once, from nothing but the seed and the day: so
 * those of any round are known without the rounds before it.
 */
export interface FaultProfile {
  /** Faults on a UTC day, over all targets together. */
  readonly faultsADay: Range;
  /** `rounds`: how long one lasts. */
  readonly faults: readonly { readonly type: FaultType; readonly rounds: Range }[];
  /** The share of probes that are never reported, in good times too. */
  readonly lost: number;
}

interface Range {
  readonly least: number;
  readonly most: number;
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
export const FEW_FAULTS = faults.few as FaultProfile;

/** Everything that the rules of the monitor tell apart, often enough to be seen in a few days. */
export const MANY_FAULTS = faults.many as FaultProfile;

export interface Fault {
  readonly type: FaultType;
  /** The target's id. */
  readonly target: string;
  /** The one vantage point that a partial failure is seen from. */
  readonly point: string;
  readonly first: number;
  readonly last: number;
  /** Of the checks that fail in it. */
  readonly cause: string;
}

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

function faultsOf(
  { faultsADay, faults: kinds }: FaultProfile,
  day: number,
  random: Random,
): readonly Fault[] {
  return Array.from({ length: integer(random, faultsADay.least, faultsADay.most) }, () => {
    const { type, rounds } = oneOf(random, kinds);
    const length = integer(random, rounds.least, rounds.most);
    // Within the day, whole.
    const first = day * ROUNDS_A_DAY + integer(random, 0, ROUNDS_A_DAY - length);
    return {
      type,
      target: oneOf(random, TARGETS).id,
      point: oneOf(random, VANTAGE_POINTS).id,
      first,
      last: first + length - 1,
      cause: oneOf(random, faults.causes),
    };
  });
}
