import type { UptimeWindow, Status } from './status-schema.ts';
import type { State, Transition } from './machine-state.ts';
import { DAY_MS } from '../platform/time/instant.ts';

/**
 * Uptime: how much of the time that is known of a window a timeline was up or degraded. Unknown time is left out, and
 * shows in `coverage`, the known part of the whole window.
 */

/** The uptime in the windows that end at this moment; of no time at all where `end` is null. */
export function uptimeOf(timeline: readonly Transition[], end: number | null): Status['uptime'] {
  const days = (count: number) => uptimeWithin(timeline, end, count * DAY_MS);
  return { '24h': days(1), '7d': days(7), '30d': days(30), '90d': days(90) };
}

/** The time spent in each state within the window that ends at `end`, in milliseconds. */
export function spentWithin(
  timeline: readonly Transition[],
  end: number,
  length: number,
): Readonly<Record<State, number>> {
  const spent: Record<State, number> = { up: 0, degraded: 0, down: 0, unknown: 0 };
  for (const [index, { at, state }] of timeline.entries()) {
    const until = Math.min(timeline[index + 1]?.at ?? end, end);
    // Nothing of it, where it was over before the window began.
    spent[state] += Math.max(0, until - Math.max(at, end - length));
  }
  return spent;
}

function uptimeWithin(timeline: readonly Transition[], end: number | null, length: number): UptimeWindow {
  if (end === null) return { pct: null, coverage: 0 };
  const spent = spentWithin(timeline, end, length);
  const available = spent.up + spent.degraded;
  const known = available + spent.down;
  return {
    pct: known === 0 ? null : hundredths(100 * available, known),
    coverage: hundredths(known, length),
  };
}

/** A share in per cent, rounded down: 100 stands for all of it. */
export function flooredPercent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((10_000 * part) / whole) / 100;
}

/** A quotient of whole numbers to two decimals, a half rounded up, computed in whole numbers. */
function hundredths(numerator: number, denominator: number): number {
  return Math.floor((200 * numerator + denominator) / (2 * denominator)) / 100;
}
