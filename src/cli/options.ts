import { InvalidArgumentError } from 'commander';

import type { Clock } from '../platform/clock.ts';
import { parseInstant, unixMs } from '../platform/instant.ts';
import { number } from './output.ts';
import { parseDuration } from './read-duration.ts';

/** What the values of options are held against. Commander names the option before each message. */

export function integerFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${number(least)} to ${number(most)}.`);
  };
}

/** How long ago (`30m`, `12h`, `7d`), or an RFC 3339 date-time; as Unix milliseconds. */
export function momentBefore(clock: Clock): (text: string) => number {
  return (text) => {
    const ago = parseDuration(text);
    if (ago !== null) return clock.now() - ago;
    const instant = parseInstant(text);
    if (instant !== null) return unixMs(instant);
    throw new InvalidArgumentError('Expected how long ago (30m, 12h, 7d), or an RFC 3339 date-time.');
  };
}
