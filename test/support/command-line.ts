import type { Command, Option } from 'commander';

import { createProgram } from '../../src/cli/program.ts';

/** The command line as commander knows it, for tests that hold pages and helps to it. */

export interface Leaf {
  /** `parked list` */
  readonly name: string;
  readonly command: Command;
}

export function leavesOf(command: Command, prefix = ''): readonly Leaf[] {
  return command.commands.flatMap((sub): readonly Leaf[] => {
    const name = `${prefix}${sub.name()}`;
    return sub.commands.length > 0 ? leavesOf(sub, `${name} `) : [{ name, command: sub }];
  });
}

/** What a command needs to be called at all: its options that have to be given. */
export function neededOptions({ command }: Leaf): readonly string[] {
  return command.options.flatMap(({ description, long }) =>
    long && description.endsWith('(required)') ? [long, 'acme'] : [],
  );
}

/** A value for each of its arguments, as one that is called rightly has. */
export function usualArguments({ command }: Leaf): readonly string[] {
  const known: Readonly<Record<string, string>> = {
    'read model': 'listings',
    view: 'events',
    before: 'live',
    dir: 'never-made',
  };
  return command.registeredArguments.map((argument) => known[argument.name()] ?? 'x');
}

export function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

/** The sections of docs/reference/commands.md: what each command does, with its arguments and options. */
export async function commandSections(): Promise<string> {
  return leavesOf(await createProgram(() => undefined))
    .map(({ name, command }) => sectionOf(name, command))
    .join('\n');
}

function sectionOf(name: string, command: Command): string {
  const given = command.registeredArguments.map((argument) => {
    const shown = argument.variadic ? `${argument.name()}...` : argument.name();
    return [argument.required ? `<${shown}>` : `[${shown}]`, argument.description];
  });
  const options = command.options.map((option) => [option.flags, meaningOf(option)]);
  const rows = [...given, ...options].map(([term, meaning]) => `| \`${term}\` | ${meaning} |\n`);
  const table = rows.length === 0 ? '' : `\n| | |\n| --- | --- |\n${rows.join('')}`;
  return `## ${name}\n\n${command.description()}\n${table}`;
}

function meaningOf({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices ? `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}` : '';
  const usual = defaultValueDescription ?? (defaultValue as string | number | undefined);
  return `${description}${choices}${usual === undefined ? '' : ` (default: ${usual})`}`;
}

/** The arguments of every `npm run -s catalog -- ...` in a text, as a shell would split them. */
export function exampleCommands(text: string): readonly (readonly string[])[] {
  // How a command is called in general stands in its first line, and is no example.
  return [...text.matchAll(/(?<!^Usage: )npm run -s catalog -- ((?:'[^'\n]*'|[^|>`#\n"])+)/gm)].map(
    ([, args]) => {
      const words = String(args).match(/'[^']*'|\S+/g) ?? [];
      return words.map((word) => word.replace(/^'(.*)'$/, '$1'));
    },
  );
}

/** Parses a command line without doing what it says. Rejects where it would be refused. */
export async function parse(args: readonly string[]): Promise<void> {
  const program = await createProgram(() => undefined);
  for (const { command } of leavesOf(program)) command.action(() => undefined);
  await program.parseAsync(args, { from: 'user' });
}
