import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import { messageOf } from '../../platform/errors.ts';
import { evolve, type Projection } from '../engine/projection.ts';
import { StoppedError } from '../engine/retry.ts';
import type { History, Span } from './history.ts';
import type { LogRecord } from '../../events/log/port.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { incarnationsOf } from '../builds/parked-in-builds.ts';
import { laneName } from '../engine/lane.ts';
import { eventsLeftOut } from '../engine/parked-events.ts';
import { parkedId, type ParkedEvent } from '../engine/parking.ts';

/** What of a history is folded: the records between the bounds, without those that were left out. */
export interface PartOfHistory {
  readonly history: History;
  readonly span: Span;
  readonly decisions: Decisions;
}

/**
 * Partition by partition. All of it is read: a log's time need not rise with its positions. The same history makes the same
 * registers. `onProgress` is told how much was read.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function foldHistory(
  projection: Projection,
  decode: Decode,
  { history, span, decisions }: PartOfHistory,
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
        const decoded = decisions.leavesOut(record) ? null : decode(record);
        // What cannot be folded a projector parks.
        const isLeftOut =
          decoded === null ||
          decoded.outcome === 'rejected' ||
          (decoded.outcome === 'event' && foldEvent(projection, decoded.event, registers) !== null);
        if (isLeftOut) leftOut += 1;
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

/** What the live build has left out of its documents: parked for the time being, or discarded for good. */
export interface Decisions {
  leavesOut(record: Pick<LogRecord, 'topic' | 'partition' | 'position' | 'timestamp'>): boolean;
}

export const NONE: Decisions = { leavesOut: () => false };

export async function decisionsOf(documents: Documents, build: string): Promise<Decisions> {
  const single = new Map<string, number>();
  const ranges = new Map<string, ParkedEvent[]>();
  const incarnations = await incarnationsOf(documents, build);
  for await (const page of eventsLeftOut(documents, build))
    for (const { id, body } of page) {
      const { position, to, timestamp } = body;
      const place = `${body.topic}/${body.partition}`;
      if (to === undefined) {
        single.set(`${place}/${position}`, timestamp);
      } else if (id === parkedId(body, incarnations.get(laneName(body)) ?? 0, position, to)) {
        ranges.set(place, [...(ranges.get(place) ?? []), body]);
      }
    }
  if (single.size + ranges.size === 0) return NONE;
  return {
    leavesOut: ({ topic, partition, position, timestamp }) => {
      const place = `${topic}/${partition}`;
      // Under a log that took the place of another one, a position means another record, of another time. What could not
      // be read may have no time: how often that was accepted tells the logs apart.
      if (single.get(`${place}/${position}`) === timestamp) return true;
      const own = ranges.get(place) ?? [];
      return own.some(({ position: from, to = from }) => from <= position && position < to);
    },
  };
}
