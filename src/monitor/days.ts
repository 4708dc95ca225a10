import type { State, Transition } from './machine-state.ts';
import { spentWithin } from './uptime.ts';
import { DAY_MS } from '../platform/time/instant.ts';

/** How the time of each of the last days (UTC) was spent by a timeline. */

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
