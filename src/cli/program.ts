import { Command, CommanderError } from 'commander';

import { PermanentError, RetryableError, UsageError } from '../platform/errors.ts';
import type { ExitCode, Finish } from './command.ts';
import { Stopped } from '../projecting/retry.ts';
import { keys } from './keys.ts';
import { openapi } from './openapi.ts';
import { note, onClosedOutput } from './output.ts';
import { parked } from './parked.ts';
import { project } from './project.ts';
import { publish } from './publish.ts';
import { serve } from './serve.ts';
import { simulate } from './simulate.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { topics } from './topics.ts';
import { verify } from './verify.ts';

/** Runs the command line and returns its exit code. Prints one line for whatever a person can mend. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  onClosedOutput();
  let outcome: ExitCode = 0;
  const program = createProgram((code) => {
    outcome = code;
  });
  try {
    await program.parseAsync(argv);
    return outcome;
  } catch (thrown) {
    return explain(thrown);
  }
}

/** The command line as a value, for `run` and for the test that holds docs/reference/commands.md equal to it. */
export function createProgram(finish: Finish): Command {
  const program = new Command('catalog')
    .description('Catalog Read API: a read-only JSON API over a catalog, kept up to date from events.')
    .usage('COMMAND [OPTIONS]')
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLE);
  for (const command of [
    start,
    serve,
    project,
    publish,
    simulate,
    topics,
    status,
    verify,
    parked,
    keys,
    openapi,
  ]) {
    program.addCommand(command(finish));
  }
  everyCommand(program, (command) =>
    command.exitOverride().configureOutput({ outputError: (text) => note(oneLine(text)) }),
  );
  return program;
}

const EXAMPLE = `
Run a command with "npm run -s catalog -- COMMAND"; "COMMAND --help" shows its options and an example.
Settings come from the environment: docs/reference/configuration.md lists them.`;

function everyCommand(command: Command, apply: (command: Command) => void): void {
  apply(command);
  for (const sub of command.commands) everyCommand(sub, apply);
}

function oneLine(text: string): string {
  return `catalog: ${text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}`;
}

function explain(thrown: unknown): ExitCode {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  if (thrown instanceof UsageError) {
    note(`catalog: ${thrown.message}`);
    return 2;
  }
  if (thrown instanceof Stopped) {
    note('catalog: stopped before it was done.');
    return 1;
  }
  if (thrown instanceof PermanentError || thrown instanceof RetryableError) {
    note(`catalog: ${thrown.message}`);
    return 1;
  }
  note(`catalog: a fault of ours: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  return 1;
}
