import { InvalidArgumentError } from 'commander';

import { systemClock } from '../platform/time/clock.ts';
import { parseInstant, unixMs } from '../platform/time/instant.ts';

/** Moments and spans of time, as people write them. Commander names the option before each `InvalidArgumentError`. */

/** How long ago (`30m`, `12h`, `7d`), or an RFC 3339 date-time; as Unix milliseconds. */
export function momentBefore(text: string): number {
  const ago = parseDuration(text);
  if (ago !== null) return systemClock.now() - ago;
  const instant = parseInstant(text);
  if (instant !== null) return unixMs(instant);
  throw new InvalidArgumentError('Expected how long ago (30m, 12h, 7d), or an RFC 3339 date-time.');
}

/** A span of time of so many milliseconds at most, in milliseconds. */
export function spanTo(longestMs: number): (text: string) => number {
  return (text) => {
    const ms = parseDuration(text);
    if (ms !== null && ms <= longestMs) return ms;
    throw new InvalidArgumentError(
      `Expected 0, or a number with its unit, at most ${longestMs / UNIT_MS.d}d: 90s, 30m, 24h or 7d.`,
    );
  };
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A span of time as people write it (`90s`, `30m`, `24h`, `7d`, `0`), in milliseconds; null where it is none. */
function parseDuration(text: string): number | null {
  if (/^0+$/.test(text)) return 0;
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
