import type { State, Transition } from './machine-state.ts';

/** How the time of each of the last days (UTC) was spent by a timeline. */

export interface DaySpent {
  /** `2026-01-31`. */
  readonly day: string;
  /** Milliseconds in each state; the rest of a day, and what lies in the future, is unknown. */
  readonly spent: Readonly<Record<State, number>>;
}

export const SHOWN_DAYS = 90;
const DAY_MS = 86_400_000;

/** The days that end with that of `end`, the oldest first; none where `end` is null. */
export function daysOf(timeline: readonly Transition[], end: number | null): readonly DaySpent[] {
  if (end === null) return [];
  const last = Math.floor(end / DAY_MS);
  const days = Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const day = new Date((last - SHOWN_DAYS + 1 + index) * DAY_MS).toISOString().slice(0, 10);
    return { day, spent: { up: 0, degraded: 0, down: 0, unknown: 0 } };
  });
  for (const [index, { at, state }] of timeline.entries()) {
    const until = Math.min(timeline[index + 1]?.at ?? end, end);
    const from = Math.max(at, (last - SHOWN_DAYS + 1) * DAY_MS);
    for (let start = from; start < until;) {
      const next = Math.min((Math.floor(start / DAY_MS) + 1) * DAY_MS, until);
      const day = days[Math.floor(start / DAY_MS) - last + SHOWN_DAYS - 1];
      if (day) day.spent[state] += next - start;
      start = next;
    }
  }
  for (const { spent } of days) {
    spent.unknown = DAY_MS - spent.up - spent.degraded - spent.down;
  }
  return days;
}
