import { InvalidArgumentError, Option, type Command } from 'commander';

import { number } from '../texts/english-amounts.ts';
import { momentBefore, spanTo } from './times.ts';

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
