import type { Position } from '../port.ts';
import { endOfDamage } from './end-of-damage.ts';
import { readBatch } from './read-batch.ts';
import type { Fault, RecordBatch, Scan } from './record-batch.ts';

/**
 * @param from the position that was asked for: what stands before it in its batch comes along.
 * @param end the high watermark, where nothing can stand yet; below 0 where it is not known.
 */
export function scanBatches(bytes: Buffer, from: Position, end: Position): Scan {
  const batches: RecordBatch[] = [];
  let next = from;
  let last = -1;
  const stopAt = (at: number, kind: Fault['kind'], reason: string, to: Position | null = null): Scan => ({
    batches,
    fault: { kind, from: next, to, reason, bytes: bytes.subarray(at) },
  });
  for (let at = 0; at < bytes.length;) {
    const found = readBatch(bytes, at);
    switch (found.kind) {
      case 'cut':
        return stopAt(at, 'cut', 'the batch does not end within the answer');
      case 'damaged':
        return stopAt(at, 'damaged', found.reason, endOfDamage(bytes, found, next, end));
      case 'batch':
    }
    const { baseOffset, lastOffset } = found;
    if (lastOffset < baseOffset)
      return stopAt(at, 'damaged', `its last position, ${lastOffset}, is before its first, ${baseOffset}`);
    if (end >= 0 && lastOffset >= end)
      return stopAt(at, 'damaged', `it ends at ${lastOffset}, and the log at ${end}`);
    if (baseOffset <= last) {
      // The checksum does not cover the first position of a batch: this one's may be wrong, or the one's before it.
      const before = batches.at(-1);
      if (before && baseOffset > before.baseOffset && baseOffset > from) {
        batches.pop();
        next = Math.max(from, (batches.at(-1)?.lastOffset ?? -1) + 1);
        return stopAt(
          at - before.bytes.length,
          'damaged',
          `it overlaps the batch at ${baseOffset}`,
          baseOffset,
        );
      }
      return stopAt(at, 'damaged', `it begins at ${baseOffset}, and the batch before it ends at ${last}`);
    }
    last = lastOffset;
    at += found.bytes.length;
    // A broker may begin with a batch before the one that was asked for.
    if (lastOffset < from) continue;
    batches.push(found);
    next = lastOffset + 1;
  }
  if (batches.length === 0 && bytes.length > 0)
    return stopAt(0, 'damaged', `it ends at ${last}, before the position ${from} that was asked for`);
  return { batches, fault: null };
}
