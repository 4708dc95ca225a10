import type { Decode, DecodeResult } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import { messageOf } from '../../platform/errors.ts';
import { evolve, type Projection } from '../engine/projection.ts';
import { StoppedError } from '../engine/retry.ts';
import type { Omissions } from './build-omissions.ts';
import type { History, Span } from './history.ts';

/** What of a history is folded: the records between the bounds, without those that were left out. */
export interface PartOfHistory {
  readonly history: History;
  readonly span: Span;
  readonly omissions: Omissions;
}

/**
 * Partition by partition. All of it is read: a log's time need not rise with its positions. The same history makes the same
 * registers. `onProgress` is told how much was read.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function foldHistory(
  projection: Projection,
  decode: Decode,
  { history, span, omissions }: PartOfHistory,
  signal: AbortSignal,
  onProgress?: (read: number) => void,
) {
  const registers = new Map<string, unknown>();
  let [read, records, leftOut] = [0, 0, 0];
  for (const held of history.partitions) {
    for await (const batch of history.read(held, signal)) {
      const damaged = (batch.unreadable ?? []).filter((range) => span.includes({ ...range, headers: {} }));
      records += damaged.length;
      leftOut += damaged.length;
      for (const record of batch.records) {
        if (!span.includes(record)) continue;
        records += 1;
        // What cannot be folded a projector parks.
        if (omissions.leavesOut(record) || foldInMemory(projection, decode(record), registers) !== null)
          leftOut += 1;
      }
      read += batch.next - batch.from;
      onProgress?.(read);
    }
    if (signal.aborted) throw new StoppedError('stopped');
  }
  return {
    /** By document. */
    registers,
    /** Between the bounds. */
    records,
    /** Of them, those that were left out, or cannot be decoded or folded. A range that cannot be read counts as one. */
    leftOut,
  };
}

/** Folds what a record was decoded to, where that is an event. Returns why it cannot be folded; null where it can. */
export function foldInMemory(
  projection: Projection,
  decoded: DecodeResult,
  registers: Map<string, unknown>,
): string | null {
  if (decoded.outcome === 'rejected') return decoded.rejection.reason;
  return decoded.outcome === 'event' ? foldEvent(projection, decoded.event, registers) : null;
}

/** Folds an event into the registers of its document. Returns why it cannot be folded; null where it can. */
export function foldEvent(
  projection: Projection,
  event: CatalogEvent,
  registers: Map<string, unknown>,
): string | null {
  try {
    const id = projection.documentId(event);
    if (id === null) return null;
    registers.set(id, evolve(projection, registers.get(id) ?? projection.registers.empty, event));
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
