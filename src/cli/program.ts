import { readFileSync } from 'node:fs';

import { Command, CommanderError } from 'commander';

import { asCalledHere, commandLine } from '../platform/command-line.ts';
import { PermanentError, RetryableError, UsageError } from '../platform/errors.ts';
import type { ExitCode, Finish } from './command.ts';
import { Stopped } from '../projecting/engine/retry.ts';
import { archive } from './commands/archive.ts';
import { backup } from './commands/backup.ts';
import { cutOver, rollback } from './commands/cut-over.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { drop } from './commands/drop.ts';
import { history } from './commands/history.ts';
import { exportView } from './commands/export.ts';
import { identity } from './commands/identity.ts';
import { keys } from './commands/keys.ts';
import { openapi } from './commands/openapi.ts';
import { beginOutput, note, print, printFailure, type FailureCode } from './output.ts';
import { parked } from './commands/parked.ts';
import { project } from './commands/project.ts';
import { publish } from './commands/publish.ts';
import { query } from './commands/query.ts';
import { rebuild } from './commands/rebuild.ts';
import { rejected } from './commands/rejected.ts';
import { replay } from './commands/replay.ts';
import { restore } from './commands/restore.ts';
import { serve } from './commands/serve.ts';
import { shadows } from './commands/shadows.ts';
import { simulate } from './commands/simulate.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { topics } from './commands/topics.ts';
import { trace } from './commands/trace.ts';
import { verify } from './commands/verify.ts';
import { versions } from './commands/versions.ts';

/** Runs the command line and returns its exit code. Prints one line for whatever a person can fix. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  beginOutput();
  const isForScripts = argv.includes('--json');
  let outcome: ExitCode = 0;
  const program = createProgram((code) => {
    outcome = code;
  });
  try {
    await program.parseAsync(argv);
    if (outcome !== 0 && isForScripts) printFailure('failed');
    return outcome;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const code = explain(thrown);
    if (isForScripts) printFailure(code);
    return code === 'usage' ? 2 : 1;
  }
}

/** The command line as a value, for `run` and for the test that holds docs/reference/commands.md equal to it. */
export function createProgram(finish: Finish): Command {
  const program = new Command('catalog')
    .description('Catalog Read API: a read-only JSON API over a catalog, kept up to date from events.')
    .usage('COMMAND [OPTIONS]')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand('help [command]', 'Show what a command does: the same as COMMAND --help.')
    .showSuggestionAfterError()
    .addHelpText('after', EPILOGUE);
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const command of commands) program.addCommand(command(finish));
  }
  everyCommand(program, (command) => {
    command.configureHelp({ commandUsage: (shown) => commandLine(`${pathOf(shown)}${shown.usage()}`) });
    command.exitOverride().configureOutput({
      writeOut: (text) => print(asCalledHere(text.trimEnd()).split('\n')),
      // The help of a command that is called without the one that it needs.
      writeErr: (text) => note(asCalledHere(text.trimEnd()).split('\n')),
      outputError: (text) => note(oneLine(text, command)),
    });
    if (command.commands.length === 0) command.addHelpText('after', EXIT_CODES);
  });
  return program;
}

/** The release, as package.json has it. */
function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

const GROUPS = {
  'Run:': [start, serve, project],
  'Events:': [publish, trace, history, rejected, simulate],
  'Operate:': [status, doctor, verify, parked, topics, identity],
  'Keep:': [archive, backup, restore],
  'Builds:': [versions, rebuild, cutOver, rollback, drop],
  'Analyse:': [replay, shadows, diff, query, exportView],
  'Keys:': [keys],
  'Contract:': [openapi],
} as const;

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
  return `catalog: ${message}. See "${commandLine(`${pathOf(command)}--help`)}".`;
}

/** `keys create `; nothing for the program itself. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)}${command.name()} ` : '';
}

function explain(thrown: unknown): FailureCode {
  if (thrown instanceof CommanderError) {
    // Commander has said it already, but for help that nobody asked for.
    if (thrown.code === 'commander.help') note('catalog: a command is missing: give one of these.');
    return 'usage';
  }
  if (thrown instanceof UsageError) {
    note(`catalog: ${thrown.message}`);
    return 'usage';
  }
  if (thrown instanceof Stopped) {
    note('catalog: stopped before it was done.');
    return 'stopped';
  }
  if (thrown instanceof PermanentError || thrown instanceof RetryableError) {
    note(`catalog: ${thrown.message}`);
    return 'failed';
  }
  note(`catalog: a fault of ours: ${thrown instanceof Error ? thrown.stack : String(thrown)}`.split('\n'));
  return 'fault';
}
