import { redactByLook, visible, visibleLines } from '../platform/text/sanitize.ts';
import { into, writeLines, type ManyLines } from './write-lines.ts';

/**
 * The one way out of a command, held by a test: standard output is for what it answers, everything said meanwhile goes to
 * standard error. A line stays one line that steers no terminal, and anything that looks like a key is left
 * out.
 */

/** One line, or several. A line feed inside of one is shown, not obeyed: it came from somewhere else. */
export type Lines = string | readonly string[];

/** `shown` where a key is what was asked for, or every word is ours. */
type KeysAre = 'redacted' | 'shown';

function safe(text: string, keys: KeysAre = 'redacted'): string {
  return keys === 'shown' ? text : redactByLook(text);
}

export function print(lines: Lines, keys?: KeysAre): void {
  const all = typeof lines === 'string' ? [lines] : lines;
  answer(all.map((line) => `${safe(visible(line), keys)}\n`).join(''));
}

function answer(text: string): void {
  hasAnswered = true;
  process.stdout.write(text);
}

let hasAnswered = false;
let lastNote = '';

/** What a script tells failures apart by. */
export type FailureCode = 'usage' | 'failed' | 'stopped' | 'fault';

/**
 * With `--json`, what a command prints is JSON whatever happens: one that has not answered answers with its failure,
 * whose message is what was said last. One line, so that it is a document as well as a line of NDJSON.
 */
export function printFailure(code: FailureCode): void {
  if (!hasAnswered) printLine({ error: { code, message: lastNote } });
}

export function printJson(value: unknown, keys?: KeysAre): void {
  answer(`${safe(visibleLines(JSON.stringify(value, null, 2)), keys)}\n`);
}

/** A document that is one line, for those who read line by line. */
export function printLine(value: unknown, keys?: KeysAre): void {
  print(JSON.stringify(value), keys);
}

/**
 * Prints lines as they come, as fast as they are taken. What would steer a terminal is shown here too: a file that is to
 * hold every character as it is, is written by the command itself.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function printLines(
  lines: ManyLines,
  signal: AbortSignal,
  onWritten?: (lines: number) => void,
): Promise<void> {
  async function* shown() {
    for await (const line of lines) {
      hasAnswered = true;
      yield safe(visible(line));
    }
  }
  await writeLines(shown(), into(process.stdout, signal), signal, onWritten);
}

/** Says something beside the answer. */
export function note(lines: Lines): void {
  const all = (typeof lines === 'string' ? [lines] : lines).map((line) => safe(visible(line)));
  lastNote = all.join(' ').replace(/^catalog: /, '');
  process.stderr.write(all.map((line) => `${line}\n`).join(''));
}

/** Whether a person reads the answer as it comes. */
export function isOnTerminal(): boolean {
  return process.stdout.isTTY;
}

/** Loaded where a person looks on: it takes longer than what a script asks for. */
const ora = process.stderr.isTTY ? (await import('ora')).default : null;

/** A line of the terminal beside the answer, to be rewritten; null where nobody looks on, or its width is not known. */
export function openLine(): { show(text: string): void; end(): void } | null {
  if (!ora || !(process.stderr.columns > 0)) return null;
  const spinner = ora({ discardStdin: false, stream: process.stderr });
  return {
    show: (text) => {
      spinner.text = safe(visible(text));
      if (!spinner.isSpinning) spinner.start();
    },
    end: () => spinner.stop(),
  };
}

/**
 * Before a command says anything. A reader that has seen enough (`| head`) is no error; an output that takes nothing more
 * (a full disk) ends a command. A service goes on without anybody who reads what it says, and stops in order.
 */
export function beginOutput({ isService }: { readonly isService: boolean }): void {
  hasAnswered = false;
  lastNote = '';
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && isService) return;
    if (error.code === 'EPIPE') process.exit(0);
    note(`catalog: standard output cannot be written: ${error.message}`);
    process.exit(1);
  });
  process.stderr.on('error', () => undefined);
}
