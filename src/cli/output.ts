import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import ora from 'ora';

import { redactByLook } from '../platform/secrets.ts';
import { visible, visibleLines } from '../platform/visible.ts';

/**
 * The one way out of a command, held by a test: standard output is for what it answers, everything said meanwhile goes to
 * standard error. A line stays one line that steers no terminal, and anything that looks like a key is left
 * out.
 */

/** One line, or several. A line feed inside of one is shown, not obeyed: it came from somewhere else. */
export type Lines = string | readonly string[];

/** `shown` where a key is what was asked for, or every word is ours. */
export type KeysAre = 'redacted' | 'shown';

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

/** Prints a line for each value, as fast as they are taken: `writeLines` tells the rest. */
export function printStream(
  values: Iterable<unknown>,
  signal: AbortSignal,
  onWritten: (lines: number) => void,
): ReturnType<typeof writeLines> {
  return writeLines(linesOf(values), process.stdout, signal, onWritten);
}

function* linesOf(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield safe(visible(JSON.stringify(value)));
}

/** Written at once: fewer calls, and never more than a little ahead of the reader. */
const CHUNK_CHARACTERS = 65_536;

/**
 * Writes lines as fast as they are taken and no faster. Between two chunks other work has its turn, so that a signal is
 * heard while a file takes everything at once. Rejects with the error of an output that fails.
 */
export async function writeLines(
  lines: Iterable<string>,
  output: Writable,
  signal: AbortSignal,
  onWritten: (lines: number) => void,
): Promise<'written' | 'stopped'> {
  let chunk = '';
  let written = 0;
  const flush = async (): Promise<void> => {
    const isFull = !output.write(chunk);
    chunk = '';
    onWritten(written);
    if (isFull) await drained(output, signal);
    else await nextTurn();
  };
  for (const line of lines) {
    chunk += `${line}\n`;
    written += 1;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    await flush();
    if (signal.aborted) return 'stopped';
  }
  await flush();
  return signal.aborted ? 'stopped' : 'written';
}

async function drained(output: Writable, signal: AbortSignal): Promise<void> {
  try {
    await once(output, 'drain', { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
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

/** Moves a terminal's cursor home and clears what is below. */
export function clearTerminal(): void {
  if (isOnTerminal()) process.stdout.write('\u001b[H\u001b[J');
}

/**
 * Before a command says anything. A reader that has seen enough (`| head`) is no error; an output that takes nothing more
 * (a full disk) ends a command.
 */
export function beginOutput(): void {
  hasAnswered = false;
  lastNote = '';
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    note(`catalog: standard output cannot be written: ${error.message}`);
    process.exit(1);
  });
}

const NUMBER = new Intl.NumberFormat('en');

/** `1 event`, `12,345 events`; a plural of its own where it needs one. */
export function counted(many: number, one: string, several = `${one}s`): string {
  return `${number(many)} ${many === 1 ? one : several}`;
}

/** 12,345 */
export function number(value: number): string {
  return NUMBER.format(value);
}

/** 850 ms, 4.2 s, 3 min 20 s, 2 h 5 min, 3 d 4 h */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const [minutes, hours, days] = [
    Math.floor(seconds / 60),
    Math.floor(seconds / 3600),
    Math.floor(seconds / 86_400),
  ];
  if (hours === 0) return `${minutes} min ${seconds % 60} s`;
  if (days === 0) return `${hours} h ${minutes % 60} min`;
  return `${days} d ${hours % 24} h`;
}

/** Rows under headings, a line each; columns aligned, numbers to the right. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  // As they will be shown: what is escaped only later would push the columns apart.
  const cells = [
    headings,
    ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? number(cell) : safe(visible(cell))))),
  ];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumeric = headings.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  );
  return cells.map((row) =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/**
 * Shows how far something has come: a line that is rewritten on a terminal, a few lines in a file. Disposing it ends the
 * line: without that, a terminal's spinner would keep the process alive.
 */
export interface Progress extends Disposable {
  /** `total` null where it is not known. */
  update(done: number, total: number | null): void;
}

const LINE_EVERY_MS = 2000;
const QUIET_MS = 1000;

/** `what` names the things that are counted, in the plural: `events published`. Quiet for the first second. */
export function showProgress(what: string): Progress {
  const started = Date.now();
  // A terminal that does not know its width cannot have a line rewritten.
  const isTerminal = process.stderr.isTTY && process.stderr.columns > 0;
  const spinner = isTerminal ? ora({ discardStdin: false, stream: process.stderr }) : null;
  let lastLine = started - LINE_EVERY_MS + QUIET_MS;
  return {
    update: (done, total) => {
      const now = Date.now();
      if (now - started < QUIET_MS) return;
      const text = safe(visible(progressText(what, done, total, now - started)));
      if (spinner) {
        spinner.text = text;
        if (!spinner.isSpinning) spinner.start();
      } else if (now - lastLine >= LINE_EVERY_MS) {
        lastLine = now;
        note(text);
      }
    },
    [Symbol.dispose]: () => {
      spinner?.stop();
    },
  };
}

function progressText(what: string, done: number, total: number | null, elapsedMs: number): string {
  if (done === 0 && total !== null) return `${number(done)} of ${number(total)} ${what}`;
  const rate = done / (elapsedMs / 1000);
  const speed = `${number(Math.round(rate))}/s`;
  if (total === null) return `${number(done)} ${what}, ${speed}`;
  const left = duration(((total - done) / rate) * 1000);
  return `${number(done)} of ${number(total)} ${what}, ${speed}, ${left} left`;
}
