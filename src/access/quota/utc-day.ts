import { DAY_MS } from '../../platform/time/instant.ts';

export const MINUTE_MS = 60_000;

/** The UTC day of a Unix time in milliseconds, `YYYY-MM-DD`. */
export function dayAt(unixMs: number): string {
  const number = Math.floor(unixMs / DAY_MS);
  // Each request asks, nearly always for the day of the one before.
  if (number !== latest.number)
    latest = { number, day: new Date(number * DAY_MS).toISOString().slice(0, 10) };
  return latest.day;
}

let latest = { number: 0, day: '1970-01-01' };

/** The minute of the UTC day: Unix time knows no leap seconds. */
export function minuteAt(unixMs: number): number {
  return Math.floor((unixMs % DAY_MS) / MINUTE_MS);
}

/** Whole seconds, rounded up, at least 1. */
export function secondsToMidnight(unixMs: number): number {
  return Math.ceil((DAY_MS - (unixMs % DAY_MS)) / 1000);
}
