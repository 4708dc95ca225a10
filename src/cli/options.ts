import { InvalidArgumentError, Option, type Command } from 'commander';

import type { Parts } from '../compose/parts.ts';
import { systemClock } from '../platform/time/clock.ts';
import { UsageError } from '../platform/errors.ts';
import { parseInstant, unixMs } from '../platform/time/instant.ts';
import { collectionOf } from '../projecting/engine/projection.ts';
import { number } from '../texts/english-amounts.ts';

/** What commands take, and what it is held against. Commander names the option before each `InvalidArgumentError`. */

/** An argument or an option of a command that gets a `Value` of it. */
export interface OptionSpec<Value> {
  /** `needed`: an option that has to be given. */
  readonly kind: 'argument' | 'option' | 'needed';
  readonly declare: (command: Command, name: string) => void;
  /** Of the type alone. */
  readonly value?: Value;
}

/** By the names under which the command gets them: `rawCells` is `--raw-cells`. Arguments stand in their order. */
export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;

type ValueOf<T> = T extends OptionSpec<infer Value> ? Value : never;

/** What a command is given of what it takes. What was left out, and has no usual value, is not there. */
export type OptionValues<T extends OptionSpecs> = {
  readonly [Name in keyof T as undefined extends ValueOf<T[Name]> ? never : Name]: ValueOf<T[Name]>;
} & {
  readonly [Name in keyof T as undefined extends ValueOf<T[Name]> ? Name : never]?: Exclude<
    ValueOf<T[Name]>,
    undefined
  >;
};

/** `<dir>`, `[slug]` or `<files...>`. */
export function argument<const Term extends string>(
  term: Term,
  meaning: string,
): OptionSpec<ArgumentOf<Term>> {
  return { kind: 'argument', declare: (command) => command.argument(term, meaning) };
}

type ArgumentOf<Term> = Term extends `[${string}...]` | `<${string}...>`
  ? readonly string[]
  : Term extends `<${string}>`
    ? string
    : string | undefined;

/** `value`: what stands behind its name, such as `<n>`. `adjust` says more of it to commander. */
export function option<Value>(
  value: string,
  meaning: string,
  adjust: (option: Option) => Option = (same) => same,
  kind: 'option' | 'needed' = 'option',
): OptionSpec<Value> {
  return {
    kind,
    declare: (command, name) =>
      command.addOption(adjust(new Option(`${flagOf(name)} ${value}`.trimEnd(), meaning))),
  };
}

/** `--raw-cells` of `rawCells`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function flag(meaning: string): OptionSpec<boolean | undefined> {
  return option('', meaning);
}

export function textOption(value: string, meaning: string): OptionSpec<string | undefined> {
  return option(value, meaning);
}

/** `Usual`: the value that it has where it is not given. */
export function choice<const Choice extends string, Usual extends Choice | undefined = undefined>(
  value: string,
  meaning: string,
  choices: readonly Choice[],
  usual?: Usual,
): OptionSpec<Choice | Usual> {
  return option(value, meaning, (made) => made.choices(choices).default(usual));
}

export function integer(
  value: string,
  meaning: string,
  [least, most]: readonly [number, number],
  usual: number,
): OptionSpec<number> {
  const parse = (text: string): number => {
    const found = /^\d{1,16}$/.test(text) ? Number(text) : -1;
    if (found >= least && found <= most) return found;
    throw new InvalidArgumentError(`Expected a whole number from ${number(least)} to ${number(most)}.`);
  };
  return option(value, meaning, (made) => made.argParser(parse).default(usual));
}

/** A moment: how long ago, or an RFC 3339 date-time. */
export function moment(value: string, meaning: string): OptionSpec<number | undefined> {
  return option(value, meaning, (made) => made.argParser(momentBefore));
}

/** A span of time, in milliseconds. */
export function span<Usual extends string | undefined = undefined>(
  value: string,
  meaning: string,
  longestMs: number,
  usual?: Usual,
): OptionSpec<number | (Usual extends string ? never : undefined)> {
  const parse = spanTo(longestMs);
  return option(value, meaning, (made) => {
    made.argParser(parse);
    return usual === undefined ? made : made.default(parse(usual), usual);
  });
}

/** The account that a command is about. */
export function accountOption(whose: string): OptionSpec<string> {
  return option('<account>', `whose ${whose} (required)`, undefined, 'needed');
}

export const READ_MODEL = argument('<read model>', 'listings, categories or monitor');

/** Which halted lanes a command that projects may go on with despite a gap. */
export const ACCEPT_GAP: OptionSpec<readonly string[]> = option(
  '<lane...>',
  'halted lanes, as "status" names them, that may start at the log’s earliest record',
  (made) => made.default([], 'none'),
);

/** How long ago (`30m`, `12h`, `7d`), or an RFC 3339 date-time; as Unix milliseconds. */
function momentBefore(text: string): number {
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
