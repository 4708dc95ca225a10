import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

import { peopleLines } from './human-log-lines.ts';
import { redact, visibleLines } from './text/sanitize.ts';

export type { Logger };

/** Levels that `LOG_LEVEL` accepts, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** How lines are written: JSON for machines, or a few for people at a terminal. */
export const LOG_FORMATS = ['json', 'people'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * One JSON line a message, on standard error: standard output belongs to what a command answers. Secrets are redacted
 * and what a terminal would obey is escaped here, in one place, whatever a caller hands over.
 * docs/reference/logs.md lists every message, held by a test.
 */
export function createLogger(
  level: LogLevel,
  name: string,
  sink: DestinationStream = standardError('json'),
): Logger {
  return pino(
    {
      level,
      base: { process: name, pid: process.pid },
      // Over the whole line: cheaper than by field, and a secret inside a longer text is found as well.
      hooks: { streamWrite: (line) => redact(visibleLines(line)) },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    sink,
  );
}

let shared: DestinationStream | null = null;

/** One for all loggers of the thread, so that lines stay in order. */
export function standardError(format: LogFormat): DestinationStream {
  return (shared ??= format === 'people' ? peopleLines(pino.destination(SYNC)) : pino.destination(SYNC));
}

/** A line is written before the call returns: a crash takes none of it, and no memory piles up. */
const SYNC = { dest: 2, sync: true };
