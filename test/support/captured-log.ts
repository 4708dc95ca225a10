import { createLogger, type Logger } from '../../src/platform/logger.ts';

/** A logger whose lines a test reads. */
export interface CapturedLog {
  readonly logger: Logger;
  /** As they were written. */
  readonly lines: readonly string[];
  /** `info: going on`, of each line so far. */
  readonly said: () => readonly string[];
}

export function captureLog(): CapturedLog {
  const lines: string[] = [];
  return {
    logger: createLogger('trace', 'test', { write: (line) => void lines.push(line) }),
    lines,
    said: () =>
      lines.map((line) => {
        const { level, msg } = JSON.parse(line) as { readonly level: string; readonly msg: string };
        return `${level}: ${msg}`;
      }),
  };
}
