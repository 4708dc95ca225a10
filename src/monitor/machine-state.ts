import { z } from 'zod';

import { ROUND_RESULTS } from './rounds.ts';

/**
 * Where the state machine of one target stands after a round: all that the rounds before it can still change. It is
 * small, it has a JSON form, and it forgets what no longer matters, so that two histories that differ only long ago
 * end in equal states. Instants are Unix times in milliseconds.
 */

const STATES = ['up', 'degraded', 'down', 'unknown'] as const;
export const state = z.enum(STATES);
export type State = z.infer<typeof state>;

const instant = z.int();
export const count = z.int().nonnegative();

/** What a round that was not ok says about an incident that it may cause. */
export const evidence = z.object({ notOkAt: instant, causes: z.array(z.string()) });
export type Evidence = z.infer<typeof evidence>;

export const SEVERITIES = ['degraded', 'down'] as const;

export const incident = z.object({
  /** The first check that was not ok of the rounds that caused it; of the run that came back where flapping alone did. */
  started: instant,
  /** When the state changed. */
  detected: instant,
  /** The first good check of the run that closed it, never before `started`; null while it is open. */
  resolved: instant.nullable(),
  severity: z.enum(SEVERITIES),
  cause: z.string().nullable(),
});
export type Incident = z.infer<typeof incident>;

export const machine = z.object({
  /** The last round that was taken in. */
  round: count,
  state,
  /** Silent rounds in a row, at most as many as make a target unknown. */
  silent: count,
  /** The rounds in a row with one result; null before any. `rounds` is held at the most that a rule asks for. */
  run: z
    .object({
      result: z.enum(ROUND_RESULTS),
      rounds: count,
      /** The first ok check of a run of ok rounds; null in others, and while up, where nothing can be resolved. */
      okAt: instant.nullable(),
    })
    .nullable(),
  /** Rounds in a row that did not fail, held likewise. */
  notFailed: count,
  /** While up or unknown: the last rounds, null for each that was ok. Elsewhere empty. */
  window: z.array(evidence.nullable()),
  /** When the state changed, within the time that flapping looks back. */
  changes: z.array(instant),
  flapping: z.boolean(),
  /** The last incident, open or closed. */
  incident: incident.nullable(),
  /** The newest check of the last round that somebody reported in; null before any. */
  checkedAt: instant.nullable(),
});
export type Machine = z.infer<typeof machine>;

/** A change of state, and when it took place. */
export const transition = z.object({ at: instant, state });
export type Transition = z.infer<typeof transition>;
