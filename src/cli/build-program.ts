import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import { asCalledHere, commandLine } from '../platform/text/command-line.ts';
import { note, print } from './output.ts';

/** A command line of these commands, by the heading that they stand under in the help. */
export function buildProgram(groups: Readonly<Record<string, readonly Command[]>>): Command {
  const program = new Command('catalog')
    .description('Catalog Read API: a read-only JSON API over a catalog, kept up to date from events.')
    .usage('COMMAND [OPTIONS]')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand('help [command]', 'Show what a command does: the same as COMMAND --help.')
    .showSuggestionAfterError()
    .addHelpText('after', EPILOGUE);
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const command of commands) program.addCommand(command);
  }
  everyCommand(program, (command) => {
    command.configureHelp({
      commandUsage: (shown) => commandLine(`${nameOf(shown)} ${shown.usage()}`.trimStart()),
      // Names alone: no more is known of commands that were not loaded.
      subcommandTerm: (shown) => shown.name(),
    });
    command.exitOverride().configureOutput({
      writeOut: (text) => print(asCalledHere(text.trimEnd()).split('\n')),
      // The help of a command that is called without the one that it needs.
      writeErr: (text) => note(asCalledHere(text.trimEnd()).split('\n')),
      outputError: (text) => note(oneLine(text, command)),
    });
    if (command.commands.length > 0) return;
    // Declared by the command itself where there is more to say of it.
    if (!command.options.some(({ long }) => long === '--json')) command.option('--json', 'for scripts');
    command.addHelpText('after', EXIT_CODES);
  });
  return program;
}

/** The release, as package.json has it. */
function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

const EPILOGUE = `
Run a command with "npm run -s catalog -- COMMAND"; "COMMAND --help" shows its options and examples.
With --json a command prints JSON and nothing else, also where it fails: {"error": {"code", "message"}}.
Settings come from the environment: docs/reference/configuration.md lists them.`;

const EXIT_CODES = `
Exit codes: 0 all is well, 1 it failed or found something, 2 it was called wrongly.`;

function everyCommand(command: Command, apply: (command: Command) => void): void {
  apply(command);
  for (const sub of command.commands) everyCommand(sub, apply);
}

/** What commander has found wrong, with where to look. */
function oneLine(text: string, command: Command): string {
  const message = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return `catalog: ${message}. See "${commandLine(`${nameOf(command)} --help`.trimStart())}".`;
}

/** `keys create`; nothing for the program itself. */
export function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}`.trimStart() : '';
}
