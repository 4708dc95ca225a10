import type { LogRecord } from '../../events/log/port.ts';
import { Stopped } from '../engine/retry.ts';
import type { Decisions } from './decisions.ts';
import type { History } from './history.ts';
import type { Span } from './span.ts';

/** What a replay is fed with; `left_out` stands between the bounds, and is not to be folded. */
export interface Portion {
  readonly records: readonly LogRecord[];
  /** A range that cannot be read counts as one. */
  readonly leftOut: number;
  /** With what was read and lies outside of the bounds: for progress. */
  readonly read: number;
}

interface RecordsOptions {
  readonly span: Span;
  readonly decisions: Decisions;
  readonly signal: AbortSignal;
}

/**
 * The records of a history that lie between the bounds, partition by partition. All of it is read: a log's time need not rise
 * with its positions. The same history gives the same records.
 * @throws {Stopped} where the signal was aborted.
 */
export async function* recordsOf(
  history: History,
  { span, decisions, signal }: RecordsOptions,
): AsyncGenerator<Portion> {
  for (const held of history.partitions) {
    for await (const batch of history.read(held, signal)) {
      const within = batch.records.filter((record) => span.includes(record));
      const records = within.filter((record) => !decisions.leavesOut(record));
      const damaged = (batch.unreadable ?? []).filter((range) => span.includes({ ...range, headers: {} }));
      yield {
        records,
        leftOut: within.length - records.length + damaged.length,
        read: batch.next - batch.from,
      };
    }
    if (signal.aborted) throw new Stopped('stopped');
  }
}
