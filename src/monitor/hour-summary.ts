import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { hourView } from '../../projections/monitor/document.ts';
import { incident, machine, transition } from './machine-state.ts';
import type { Policy } from './policy.ts';

/**
 * Summaries of closed hours, so that a start does not read a hundred days of probes. Each one goes on where the one
 * before it ended, so they form a chain: a summary holds as long as the hour's document has the version it was made
 * from, and `isCurrent` says that the chain before it and the policy are still the same.
 */

/** Raised with every change of the rules: summaries kept by an older release are then made again. */
export const RULES = 2;

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

/** Whether a summary still follows from the one before it, by this policy. */
export function isCurrent(summary: HourSummary, previous: HourSummary | null, policy: Policy): boolean {
  return summary.rules === rulesOf(policy) && isDeepStrictEqual(summary.start, previous?.end ?? null);
}

export function rulesOf(policy: Policy): string {
  const byName = Object.entries(policy).sort(([a], [b]) => (a < b ? -1 : 1));
  return [RULES, ...byName.map(([, value]) => value)].join(' ');
}
