import { integer, oneOf, type Random, type Randoms } from './random.ts';
import { ROUNDS_A_DAY } from './rounds.ts';
import { TARGETS, VANTAGE_POINTS } from './targets.ts';

/**
 * What troubles the targets, and when. A day's trouble is drawn at once, from nothing but the seed and the day: so the
 * trouble of any round is known without the rounds before it.
 */
export interface Weather {
  /** Spells of trouble on a UTC day, over all targets together: at least and at most. */
  readonly spellsADay: readonly [number, number];
  readonly spells: readonly [SpellKind, ...SpellKind[]];
  /** The share of probes that are never reported, in good times too. */
  readonly lost: number;
}

export interface SpellKind {
  readonly trouble: Trouble;
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
export type Trouble = 'outage' | 'slow' | 'partial' | 'flapping' | 'silence';

/** A newcomer usually finds everything up, and a few resolved incidents. */
export const GENTLE: Weather = {
  spellsADay: [1, 2],
  spells: [
    { trouble: 'slow', rounds: [8, 25] },
    { trouble: 'partial', rounds: [8, 20] },
    { trouble: 'outage', rounds: [4, 9] },
  ],
  lost: 0,
};

/** Everything that the rules of the monitor tell apart, often enough to be seen in a few days. */
export const ROUGH: Weather = {
  spellsADay: [3, 9],
  spells: [
    { trouble: 'slow', rounds: [5, 90] },
    { trouble: 'slow', rounds: [5, 30] },
    { trouble: 'partial', rounds: [5, 60] },
    { trouble: 'partial', rounds: [2, 15] },
    { trouble: 'outage', rounds: [3, 12] },
    { trouble: 'outage', rounds: [5, 90] },
    { trouble: 'flapping', rounds: [24, 80] },
    { trouble: 'silence', rounds: [1, 30] },
  ],
  lost: 0.002,
};

export interface Spell {
  readonly trouble: Trouble;
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

/** The spell that a target is in at a round; null for none. `days` is a sequence for each UTC day. */
export function createForecast(
  weather: Weather,
  days: Randoms,
): (target: string, round: number) => Spell | null {
  // Rounds are asked for in order, so one day at a time is enough.
  let known = { day: -1, spells: [] as readonly Spell[] };
  return (target, round) => {
    const day = Math.floor(round / ROUNDS_A_DAY);
    if (day !== known.day) known = { day, spells: spellsOf(weather, day, days(day)) };
    return (
      known.spells.find((spell) => spell.target === target && round >= spell.first && round <= spell.last) ??
      null
    );
  };
}

function spellsOf({ spellsADay, spells }: Weather, day: number, random: Random): readonly Spell[] {
  return Array.from({ length: integer(random, ...spellsADay) }, () => {
    const { trouble, rounds } = oneOf(random, spells);
    const length = integer(random, ...rounds);
    // Within the day, whole.
    const first = day * ROUNDS_A_DAY + integer(random, 0, ROUNDS_A_DAY - length);
    return {
      trouble,
      target: oneOf(random, TARGETS).id,
      point: oneOf(random, VANTAGE_POINTS).id,
      first,
      last: first + length - 1,
      cause: oneOf(random, CAUSES),
    };
  });
}
