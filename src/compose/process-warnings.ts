import type { Logger } from '../platform/logger.ts';

/**
 * kafkajs sets a timer for "not throttled" that is long past, and Node says so once a process. It means nothing, and
 * kafkajs is frozen.
 */
const EXPECTED: ReadonlySet<string> = new Set(['TimeoutNegativeWarning']);

/**
 * Makes lines of the log of what Node warns of: it would print plain text between them, which no collector of JSON lines
 * can read. For the whole thread; the last caller's logger has them.
 */
export function logProcessWarnings(logger: Logger): void {
  // Node's own printer is one of them.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (!EXPECTED.has(warning.name)) logger.warn({ err: warning }, 'Node warns');
  });
}
