import type { Area } from './report.ts';

/** From here on a difference between two clocks shows in ages and dates, in milliseconds. */
const OFF_MS = 1000;
/** From here on it is wrong on what counts: the quota's day, the freshness of the monitor. */
const FAR_OFF_MS = 30_000;

const HINT = 'Let a time service (NTP) set the clocks of all machines.';

/** Another clock, read between two readings of ours: where its time lies outside the two, by how much at least. */
export function differenceOf(before: number, theirs: number, after: number): number {
  if (theirs < before) return theirs - before;
  return Math.max(0, theirs - after);
}

/** `differenceMs` is how much the other clock is ahead, at least. */
export function judgeClock(area: Area, name: string, differenceMs: number): void {
  const seconds = (Math.abs(differenceMs) / 1000).toFixed(1);
  const message = `it is ${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'} this machine.`;
  if (Math.abs(differenceMs) >= FAR_OFF_MS) area.problem(name, message, HINT);
  else if (Math.abs(differenceMs) >= OFF_MS) area.warning(name, message, HINT);
  else area.ok(name, 'it agrees with this machine within a second.');
}
