import type { Position } from '../port.ts';
import { type Damaged, HEADER_BYTES, readBatch, readHeader } from './read-batch.ts';

/**
 * Where a damaged batch ends: where an undamaged one begins behind it; else where its header says, as far as two fields
 * of it that have nothing to do with each other agree. null where nothing says it.
 */
export function endOfDamage(
  bytes: Buffer,
  { bytes: batch }: Damaged,
  from: Position,
  end: Position,
): Position | null {
  if (batch === null) return null;
  const isWithin = (to: Position): boolean => to > from && (end < 0 || to <= end);
  const behind = readBatch(bytes, batch.byteOffset - bytes.byteOffset + batch.length);
  if (behind.kind === 'batch') return isWithin(behind.baseOffset) ? behind.baseOffset : null;
  if (batch.length < HEADER_BYTES) return null;
  const { baseOffset, lastOffset, count } = readHeader(batch);
  const to = lastOffset + 1;
  return count > 0 && to - baseOffset === count && baseOffset <= from && isWithin(to) ? to : null;
}
