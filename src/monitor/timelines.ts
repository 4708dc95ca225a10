import { endOf, newest } from './target-status.ts';
import { historyOf, type TargetData } from './target-history.ts';
import type { Transition, State } from './machine-state.ts';
import { latencySteps } from './latency.ts';
import { momentOf, type ReadHealth } from './reports-complete-until.ts';
import type { Policy } from './policy.ts';
import type { Status } from './status-schema.ts';
import { type Members, overallTimeline } from './overall.ts';
import { flooredPercent, spentWithin } from './uptime.ts';
import { DAY_MS } from '../platform/time/instant.ts';

export type Timelines = ReturnType<typeof timelinesOf>;

/**
 * What a status page shows beside the body of a status: how it came to where it is. By the same histories, and up to the same
 * moment, as `statusOf`.
 */
export function timelinesOf(
  targets: readonly TargetData[],
  now: number,
  policy: Policy,
  reading: ReadHealth,
) {
  const moment = momentOf(now, policy, reading);
  const histories = targets.map((watched) => historyOf(watched, moment, policy));
  const counted = newest(histories.map(({ machine }) => machine?.round ?? null));
  /** By id; of latencies, the same moments for all. */
  const components = new Map(
    histories.map((history) => {
      const { target, transitions, summaries } = history;
      const days = daysOf(transitions, endOf([history], policy));
      return [target.target, { days, transitions, latency: latencySteps(summaries, counted) }] as const;
    }),
  );
  return { components, core: coreUptimeOf(histories, endOf(histories, policy)) };
}

/**
 * The share of the known time without an outage of any critical target, in per cent with two decimals; null where nothing
 * is known. The platform as a whole is down only while all of them are, so its uptime alone hides the outage of one. A
 * half is rounded down: 100 stands for no outage at all.
 */
type CoreUptime = Readonly<Record<keyof Status['uptime'], number | null>>;

/** In the windows that end at this moment; null without a critical target, and where `end` is null. */
export function coreUptimeOf(histories: Members, end: number | null): CoreUptime | null {
  const critical = histories.filter(({ target }) => target.critical);
  if (critical.length === 0 || end === null) return null;
  const timeline = overallTimeline(critical, (known) => worstOf(known.map(({ state }) => state)));
  const days = (count: number): number | null => {
    const { up, down } = spentWithin(timeline, end, count * DAY_MS);
    return flooredPercent(up, up + down);
  };
  return { '24h': days(1), '7d': days(7), '30d': days(30), '90d': days(90) };
}

/** Down while one is; else unknown while one is. */
function worstOf(states: readonly State[]): State {
  if (states.includes('down')) return 'down';
  return states.includes('unknown') ? 'unknown' : 'up';
}

/** How the time of a day (UTC) was spent by a timeline. */
export interface DayTimes {
  /** `2026-01-31`. */
  readonly day: string;
  /** Milliseconds in each state; the rest of a day, and what lies in the future, is unknown. */
  readonly spent: Readonly<Record<State, number>>;
}

export const SHOWN_DAYS = 90;

/** The days that end with that of `end`, the oldest first; none where `end` is null. */
export function daysOf(timeline: readonly Transition[], end: number | null): readonly DayTimes[] {
  if (end === null) return [];
  const first = Math.floor(end / DAY_MS) - SHOWN_DAYS + 1;
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const start = (first + index) * DAY_MS;
    const until = Math.min(start + DAY_MS, end);
    const { up, degraded, down } = spentWithin(timeline, until, until - start);
    const spent = { up, degraded, down, unknown: DAY_MS - up - degraded - down };
    return { day: new Date(start).toISOString().slice(0, 10), spent };
  });
}
