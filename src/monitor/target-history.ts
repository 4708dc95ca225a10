import type { DefinedTarget, HourView } from '../../projections/monitor/document.ts';
import { firstKeptHour } from '../../projections/monitor/hours.ts';
import { type HourSummary, advanceHour, transitionsBetween } from './hour-summary.ts';
import { afterSilence } from './state-machine.ts';
import type { StatusMoment } from './reports-complete-until.ts';
import type { Policy } from './policy.ts';

/** What is known of one target up to a round: its hours put together. */

/** One target as readers hold it. */
export interface TargetData {
  readonly target: DefinedTarget;
  /** Of closed hours alone, ascending, a chain from the first kept hour on; empty where nothing is summarised. */
  readonly summaries: readonly HourSummary[];
  /**
   * The hours, ascending: all that follow the last summary, and those from `firstRecentHour` on. Others do no harm
   * and are not looked at where there is a summary.
   */
  readonly hours: readonly HourView[];
}

export type History = ReturnType<typeof historyOf>;

export function historyOf({ target, ...watched }: TargetData, moment: StatusMoment, policy: Policy) {
  const hours = keptHours(watched.hours, moment.reports);
  const kept = watched.summaries.filter(({ end }) => end.checkedAt !== null && end.round <= moment.reports);
  const closed = kept.at(-1)?.hour ?? Number.NEGATIVE_INFINITY;
  const summaries = [...kept];
  for (const hour of hours.filter((one) => one.hour > closed)) {
    summaries.push(advanceHour(summaries.at(-1) ?? null, hour, policy, moment.reports));
  }
  const heard = summaries.at(-1)?.end ?? null;
  const through = Math.max(heard?.round ?? moment.silence, moment.silence);
  const machine = heard && afterSilence(heard, through, policy);
  return {
    target,
    /** The last round that counts for this target; windows end with it. */
    through,
    /** The last round that somebody reported in; null where nobody ever has. */
    reported: heard?.round ?? null,
    /** null without rounds. */
    machine,
    /** Every change of state, the beginning (as unknown) first. */
    transitions: [
      ...summaries.flatMap(({ transitions }) => transitions),
      ...(heard && machine ? transitionsBetween(heard, machine, policy) : []),
    ],
    incidents: [
      ...summaries.flatMap(({ incidents }) => incidents),
      ...(machine?.incident ? [machine.incident] : []),
    ],
    /** Counted rounds of the hours that were given. */
    rounds: hours.flatMap(({ rounds }) => rounds).filter(({ round }) => round <= moment.reports),
    summaries,
  };
}

/** The hours with a round that counts, without those that are too old to be kept. */
function keptHours(hours: readonly HourView[], reports: number): readonly HourView[] {
  const counted = hours.filter(({ rounds }) => rounds.some(({ round }) => round <= reports));
  const first = firstKeptHour(counted.at(-1)?.hour ?? 0);
  return counted.filter(({ hour }) => hour >= first);
}
