import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

import { pino, type Logger } from 'pino';

import { bufferLines, type LineSink } from './line-buffer.ts';
import { peopleLines } from './people-lines.ts';
import { redact } from './secrets.ts';
import { visibleLines } from './visible.ts';

export type { Logger };

/** Levels that `LOG_LEVEL` accepts, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How lines are written: JSON for machines, or a few for people at a terminal. */
export const LOG_FORMATS = ['json', 'people'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * One JSON line a message, on standard error: standard output belongs to what a command answers. Secrets are redacted
 * and what a terminal would obey is escaped here, in one place, whatever a caller hands over.
 * docs/reference/logs.md lists every message, held by a test.
 */
export function createLogger(level: LogLevel, name: string, sink: LineSink = standardError('json')): Logger {
  return pino(
    {
      level,
      base: { process: name, pid: process.pid },
      // Over the whole line: cheaper than by field, and a secret inside a longer text is found as well.
      hooks: { streamWrite: (line) => redact(visibleLines(line)) },
      timestamp: timeOfLine,
      formatters: { level: (label) => ({ level: label }) },
    },
    sink,
  );
}

/** The text of the last millisecond: many lines fall into the same one. */
const last = { at: Number.NaN, text: '' };

function timeOfLine(): string {
  const now = Date.now();
  if (now !== last.at) {
    last.at = now;
    last.text = `,"time":"${new Date(now).toISOString()}"`;
  }
  return last.text;
}

let shared: LineSink | null = null;

/**
 * One for all loggers of the thread, so that lines stay in order. In the main thread, which writes a line for each
 * request, lines wait for each other for a moment, and leave with the process. Other threads say little, and may be
 * ended without a word, so theirs never wait.
 */
export function standardError(format: LogFormat): LineSink {
  if (format === 'people') return (shared ??= peopleLines(pino.destination(SYNC)));
  return (shared ??= isMainThread ? patientError() : pino.destination(SYNC));
}

/** What is handed over is written before the call returns: a crash takes nothing of it, and no memory piles up. */
const SYNC = { dest: 2, sync: true };

/** Up to this length a pipe takes a write as a whole (PIPE_BUF), so lines of two threads never run into each other. */
const PIPE_BYTES = 4096;
/** A file takes any write as a whole; so many lines are still a small part of what a disk is given at once. */
const FILE_BYTES = 32_768;
const WAIT_MS = 200;

function patientError(): LineSink {
  const { warn } = pino.levels.values;
  const buffer = bufferLines(pino.destination(SYNC), {
    maxBytes: isFile(SYNC.dest) ? FILE_BYTES : PIPE_BYTES,
    maxMs: WAIT_MS,
    urgent: Number(warn),
  });
  process.on('exit', () => buffer.flush());
  return buffer;
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    // It was closed before the process began.
    return false;
  }
}
