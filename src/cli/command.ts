import type { Command } from 'commander';

import { compose, type Parts } from '../compose/parts.ts';
import { readConfig, type Config } from '../config.ts';
import { requireRestored } from '../keep/unfinished-restore.ts';
import { stopSignal } from '../platform/stop-signal.ts';
import type { Access } from '../platform/sqlite/open-database.ts';
import { flagOf, type OptionValues, type OptionSpecs } from './option-builders.ts';
import { note } from './output.ts';

/** What a command did: 0 all is well, 1 it failed, 2 it was called wrongly. */
export type ExitCode = 0 | 1 | 2;

/** How a command reports what it did, where that is not 0. */
export type Finish = (code: ExitCode) => void;

/** Declares what the command of a name takes and does. `commands.json` has names and summaries, `help.txt` the rest. */
export type Declare = (command: Command, name: string, finish: Finish) => void;

/** What a command is given. */
export type CommandInput<T extends OptionSpecs> = OptionValues<T> & { readonly json?: boolean };

interface Spec<T extends OptionSpecs, Given extends readonly unknown[]> {
  readonly takes?: T | undefined;
  /** What it returns is its exit code, 0 where it is nothing. */
  readonly run: (...given: Given) => Promise<ExitCode | void>;
}

/** A command that needs nothing but what it is given, and its name. */
export function command<const T extends OptionSpecs>({
  takes,
  run,
}: Spec<T, [input: CommandInput<T>, name: string]>): Declare {
  return (made, path, finish) => {
    const all = Object.entries<OptionSpecs[string]>(takes ?? {});
    for (const [name, { declare }] of all) declare(made, name);
    made.action(async () => {
      const input: Record<string, unknown> = { ...made.opts() };
      const values = [...made.processedArgs];
      for (const [name, { kind }] of all) {
        const value: unknown = kind === 'argument' ? values.shift() : input[name];
        if (value !== undefined) input[name] = value;
        if ([value].flat().includes(''))
          made.error(`error: ${kind === 'argument' ? `<${name}>` : flagOf(name)} is empty`);
        // Not by commander, which would say so before it names an option that there is not.
        if (value === undefined && kind === 'needed') made.error(`error: ${flagOf(name)} is missing`);
      }
      finish((await run(input as CommandInput<T>, path)) ?? 0);
    });
  };
}

/** One that works with the parts of this installation. */
export function commandOf<const T extends OptionSpecs>(
  access: Access,
  { takes, run }: Spec<T, [work: Work, input: CommandInput<T>]>,
): Declare {
  return command<T>({ takes, run: (input, name) => withParts(name, access, (work) => run(work, input)) });
}

/** What a command works with. */
export interface Work {
  readonly parts: Parts;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Reads the environment, and says what of it nobody reads. */
export function readSettings(): Config {
  const config = readConfig(process.env);
  const { unknownVariables: unknown } = config;
  if (unknown.length > 0) {
    const isOne = unknown.length === 1;
    note(
      `catalog: ${unknown.join(', ')} ${isOne ? 'is no variable of ours, and has' : 'are no variables of ours, and have'} no effect.`,
    );
  }
  return config;
}

/**
 * Reads the environment, builds the parts, runs the work, and closes whatever it opened. Only what is told to `create`
 * makes files, folders or topics; a command that only looks opens everything to `read`.
 * @throws {PermanentError} where something would be made beside a restore that has not finished.
 */
export async function withParts<Result>(
  name: string,
  access: Access,
  work: (work: Work) => Promise<Result>,
): Promise<Result> {
  using signal = stopSignal();
  const config = readSettings();
  // Half of what is kept elsewhere must not be added to, nor be served; the command itself goes on with it.
  if (access === 'create' && name !== 'keep restore') requireRestored(config);
  await using parts = await compose(config, name, {}, access);
  return await work({ parts, signal });
}
