import { z } from 'zod';

import type { RoundResult } from './rounds.ts';

/**
 * Where the state machine of one target stands after a round: all that the rounds before it can still change. It is
 * small, it has a JSON form, and it forgets what no longer matters, so that two histories that differ only long ago
 * end in equal states. Instants are Unix times in milliseconds.
 */

const STATES = ['up', 'degraded', 'down', 'unknown'] as const;
export const state = z.enum(STATES);
export type State = z.infer<typeof state>;

/** What a round that was not ok says about an incident that it may cause. */
export interface Evidence {
  readonly notOkAt: number;
  readonly causes: readonly string[];
}

export const SEVERITIES = ['degraded', 'down'] as const;

export interface Incident {
  /** The first check that was not ok of the rounds that caused it; of the run that came back where flapping alone did. */
  readonly started: number;
  /** When the state changed. */
  readonly detected: number;
  /** The first good check of the run that closed it, never before `started`; null while it is open. */
  readonly resolved: number | null;
  readonly severity: (typeof SEVERITIES)[number];
  readonly cause: string | null;
}

export interface Machine {
  /** The last round that was taken in. */
  readonly round: number;
  readonly state: State;
  /** Silent rounds in a row, at most as many as make a target unknown. */
  readonly silent: number;
  /** The rounds in a row with one result; null before any. `rounds` is held at the most that a rule asks for. */
  readonly run: {
    readonly result: RoundResult;
    readonly rounds: number;
    /** The first ok check of a run of ok rounds; null in others, and while up, where nothing can be resolved. */
    readonly okAt: number | null;
  } | null;
  /** Rounds in a row that did not fail, held likewise. */
  readonly notFailed: number;
  /** While up or unknown: the last rounds, null for each that was ok. Elsewhere empty. */
  readonly window: readonly (Evidence | null)[];
  /** When the state changed, within the time that flapping looks back. */
  readonly changes: readonly number[];
  readonly flapping: boolean;
  /** The last incident, open or closed. */
  readonly incident: Incident | null;
  /** The newest check of the last round that somebody reported in; null before any. */
  readonly checkedAt: number | null;
}

/** A change of state, and when it took place. */
export interface Transition {
  readonly at: number;
  readonly state: State;
}
