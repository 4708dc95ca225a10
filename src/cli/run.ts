import { CommanderError } from 'commander';

import { PermanentError, RetryableError, UsageError } from '../platform/errors.ts';
import { commandLine } from '../platform/text/command-hint.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import type { ExitCode } from './command.ts';
import { beginOutput, note, printFailure, type FailureCode } from './output.ts';
import { createProgram } from './program.ts';

/** Runs the command line and returns its exit code. Prints one line for whatever a person can fix. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  beginOutput({ isService: isService(argv.slice(2)) });
  const isForScripts = argv.includes('--json');
  let outcome: ExitCode = 0;
  try {
    // "help publish" is "publish --help".
    const words = argv[2] === 'help' ? [...argv.slice(3), '--help'] : argv.slice(2);
    const program = await createProgram((code) => {
      outcome = code;
    }, words);
    const [name = ''] = words;
    if (argv[2] === 'help' && !name.startsWith('-') && !program.commands.some((one) => one.name() === name))
      throw new UsageError(`There is no command ${name}.`);
    await program.parseAsync(words, { from: 'user' });
    if (outcome !== 0 && isForScripts) printFailure('failed');
    return outcome;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const code = explain(thrown);
    if (isForScripts) printFailure(code);
    return code === 'usage' ? 2 : 1;
  }
}

/** Whether a command of these words answers people until it is stopped. */
export function isService([name, verb]: readonly string[]): boolean {
  if (name === 'accounts') return verb === 'serve';
  return name === 'start' || name === 'serve' || name === 'project';
}

function explain(thrown: unknown): FailureCode {
  if (thrown instanceof CommanderError) {
    // Commander has said it already, but for help that nobody asked for.
    if (thrown.code === 'commander.help') note('catalog: a command is missing: give one of these.');
    return 'usage';
  }
  if (thrown instanceof StoppedError) {
    note('catalog: stopped before it was done.');
    return 'stopped';
  }
  const isUsage = thrown instanceof UsageError;
  if (thrown instanceof RetryableError) {
    const why = thrown.message.replace(/\.?$/, '.');
    note(`catalog: ${why} Try again; "${commandLine('doctor')}" looks at the stores and the log.`);
    return 'failed';
  }
  if (isUsage || thrown instanceof PermanentError) {
    note(`catalog: ${thrown.message}`);
    return isUsage ? 'usage' : 'failed';
  }
  note(`catalog: a fault of ours: ${thrown instanceof Error ? thrown.stack : String(thrown)}`.split('\n'));
  return 'fault';
}
