import { endOf, newest } from './component.ts';
import { type CoreUptime, coreUptimeOf } from './core-uptime.ts';
import { type DayTimes, daysOf } from './days.ts';
import { historyOf, type TargetData } from './history.ts';
import type { Transition } from './machine-state.ts';
import { latencySteps, type LatencyStep } from './latency-steps.ts';
import { momentOf, type ReadHealth } from './moment.ts';
import type { Policy } from './policy.ts';

/** What a status page shows beside the body of a status: how it came to where it is. */
export interface Timelines {
  /** By id. */
  readonly components: ReadonlyMap<string, Timeline>;
  readonly core: CoreUptime | null;
}

export interface Timeline {
  readonly days: readonly DayTimes[];
  /** Every change of state that is known, ascending. */
  readonly transitions: readonly Transition[];
  /** The same moments for all components. */
  readonly latency: readonly LatencyStep[];
}

/** By the same histories, and up to the same moment, as `statusOf`. */
export function timelinesOf(
  targets: readonly TargetData[],
  now: number,
  policy: Policy,
  reading: ReadHealth,
): Timelines {
  const moment = momentOf(now, policy, reading);
  const histories = targets.map((watched) => historyOf(watched, moment, policy));
  const counted = newest(histories.map(({ machine }) => machine?.round ?? null));
  const components = new Map(
    histories.map((history) => {
      const { target, transitions, summaries } = history;
      const days = daysOf(transitions, endOf([history], policy));
      return [target.target, { days, transitions, latency: latencySteps(summaries, counted) }] as const;
    }),
  );
  return { components, core: coreUptimeOf(histories, endOf(histories, policy)) };
}
