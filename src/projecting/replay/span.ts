import type { LogRecord } from '../../events/log/port.ts';
import { firstAppendedAt } from '../../events/original-time.ts';
import { UsageError } from '../../platform/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { beginningOf, type History } from './history.ts';

/**
 * The part of history that a replay folds, by the log's own time: a record was appended within it, at its bounds or between
 * them. One that was restored has the time of its first append.
 */
export interface Span {
  /** The bounds as people are told of them; null where it is open. */
  readonly from: string | null;
  readonly until: string | null;
  includes(record: Pick<LogRecord, 'timestamp' | 'headers'>): boolean;
}

interface SpanOptions {
  /** Unix milliseconds; null where it is open. */
  readonly from: number | null;
  readonly until: number | null;
  /** Unix milliseconds: up to then a log tells. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** @throws {UsageError} where a bound lies outside of what the history holds: it names the range. */
export async function spanOf(history: History, { from, until, now, signal }: SpanOptions): Promise<Span> {
  const last = history.endsAt ?? now;
  const first = from === null && until === null ? 0 : await firstTime(history, signal);
  for (const [option, bound] of [
    ['--from', from],
    ['--until', until],
  ] as const)
    if (bound !== null && (bound < first || bound > last))
      throw new UsageError(
        `${option} ${instant(bound)} is out of range: the records are from ${instant(first)} to ${instant(last)}.`,
      );
  if (from !== null && until !== null && from > until)
    throw new UsageError(
      `--from ${instant(from)} is later than --until ${instant(until)}: nothing lies between.`,
    );
  return {
    from: from === null ? null : instant(from),
    until: until === null ? null : instant(until),
    includes: (record) => {
      const at = firstAppendedAt(record);
      return (from === null || at >= from) && (until === null || at <= until);
    },
  };
}

/** The time of the oldest record, Unix milliseconds; Infinity where there is none. */
async function firstTime(history: History, signal: AbortSignal): Promise<number> {
  const found: number[] = [];
  for (const held of history.partitions) found.push((await beginningOf(history, held, signal)) ?? Infinity);
  return Math.min(...found);
}

function instant(ms: number): string {
  return toInstant(ms) ?? `${ms} ms`;
}
