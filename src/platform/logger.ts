import { pino, type Logger } from 'pino';

export type { Logger };

/** Levels that `LOG_LEVEL` accepts, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * One JSON line a message, on standard error: standard output belongs to what a command answers.
 * Secrets are redacted here, in one place, whatever a caller hands over.
 */
export function createLogger(level: LogLevel, name: string): Logger {
  return pino(
    {
      level,
      base: { process: name, pid: process.pid },
      redact: {
        paths: ['key', '*.key', 'headers["x-api-key"]', '*.headers["x-api-key"]'],
        censor: '[redacted]',
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
