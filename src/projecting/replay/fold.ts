import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import { messageOf } from '../../platform/errors.ts';
import { evolve, type Projection } from '../engine/projection.ts';
import type { Portion } from './records.ts';

/** What a fold of a part of history in memory has come to. */
export interface Folded {
  /** By document. */
  readonly registers: ReadonlyMap<string, unknown>;
  /** Between the bounds. */
  readonly records: number;
  /** Of them, those that were left out, or cannot be decoded or folded. */
  readonly leftOut: number;
}

export async function foldPortions(
  projection: Projection,
  decode: Decode,
  portions: AsyncIterable<Portion>,
  onProgress?: (read: number) => void,
): Promise<Folded> {
  const registers = new Map<string, unknown>();
  let [read, records, leftOut] = [0, 0, 0];
  for await (const portion of portions) {
    for (const record of portion.records) {
      const decoded = decode(record);
      if (decoded.outcome === 'rejected') leftOut += 1;
      // What cannot be folded a projector parks.
      if (decoded.outcome === 'event' && foldEvent(projection, decoded.event, registers) !== null)
        leftOut += 1;
    }
    read += portion.read;
    records += portion.records.length + portion.leftOut;
    leftOut += portion.leftOut;
    onProgress?.(read);
  }
  return { registers, records, leftOut };
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
