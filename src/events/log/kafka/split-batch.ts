import type { Batch, LogRecord, Position, UnreadableRange } from '../port.ts';

/** What of a batch stands below `at`, and what stands there and behind it. */
export function splitAt(batch: Batch, at: Position): readonly [Batch, Batch] {
  const { from, next, records, unreadable = [], more } = batch;
  const ranges = (lowest: Position, end: Position): readonly UnreadableRange[] =>
    unreadable
      .filter((range) => range.from < end && range.to > lowest)
      .map((range) => ({ ...range, from: Math.max(range.from, lowest), to: Math.min(range.to, end) }));
  const below = records.filter(({ position }) => position < at);
  return [
    { ...batchOf(from, at, below, ranges(from, at)), more: true },
    {
      ...batchOf(at, next, records.slice(below.length), ranges(at, next)),
      ...(more === undefined ? {} : { more }),
    },
  ];
}

/** A batch of the port: `unreadable` is absent where there is nothing of the kind. */
export function batchOf(
  from: Position,
  next: Position,
  records: readonly LogRecord[],
  unreadable: readonly UnreadableRange[],
): Batch {
  return { from, next, records, ...(unreadable.length > 0 ? { unreadable } : {}) };
}
