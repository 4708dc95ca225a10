import { InvalidArgumentError, Option } from 'commander';

import type { Parts } from '../compose/parts.ts';
import type { Clock } from '../platform/time/clock.ts';
import { UsageError } from '../platform/errors.ts';
import { parseInstant, unixMs } from '../platform/time/instant.ts';
import { collectionOf } from '../projecting/engine/projection.ts';
import { number } from '../platform/text/format.ts';

/** What the values of options are held against. Commander names the option before each `InvalidArgumentError`. */

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

/**
 * The span of time that an option was given, in milliseconds.
 * @throws {UsageError} where it is none, or longer than so many days.
 */
export function readDuration(option: string, text: string, longestDays: number): number {
  const ms = parseDuration(text);
  if (ms !== null && ms <= longestDays * UNIT_MS.d) return ms;
  throw new UsageError(
    `${option} must be 0, or a number with its unit, at most ${longestDays}d: 90s, 30m, 24h or 7d.`,
  );
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A span of time as people write it (`90s`, `30m`, `24h`, `7d`, `0`), in milliseconds; null where it is none. */
function parseDuration(text: string): number | null {
  if (/^0+$/.test(text)) return 0;
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** The option of the commands that project: which halted lanes may go on despite a gap. */
export function acceptGapOption(): Option {
  const help = 'halted lanes, as "status" names them, that may start at the log’s earliest record';
  return new Option('--accept-gap <lane...>', help).default([], 'none');
}

/**
 * Of any build that this release could project.
 * @throws {UsageError} where a name is not one of a lane: a slip of the finger must not pass for consent.
 */
export function checkLanes(
  { projections, earlier, topicName }: Pick<Parts, 'projections' | 'earlier' | 'topicName'>,
  names: readonly string[],
): void {
  const folds = [...projections, ...earlier];
  const topics = folds.flatMap((projection) =>
    projection.topics.map((topic) => `${collectionOf(projection)}/${topicName(topic)}`),
  );
  for (const name of names) {
    // Whichever build of its version it is: listings@2-b3 reads what listings@2 does.
    const [, build, topic] = LANE.exec(name) ?? [];
    if (build !== undefined && topics.includes(`${build}/${topic}`)) continue;
    throw new UsageError(`There is no lane ${name}. A lane is one of ${topics.join(', ')}, and /NUMBER.`);
  }
}

const LANE = /^([^/]+?)(?:-b[1-9]\d*)?\/(.+)\/\d+$/;
