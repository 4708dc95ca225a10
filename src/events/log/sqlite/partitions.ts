import { PermanentError } from '../../../platform/errors.ts';
import type { Position } from '../port.ts';

export interface Partition {
  readonly id: number;
  readonly partition: number;
  readonly earliest: Position;
  readonly latest: Position;
  /** The timestamp of the newest record: timestamps never fall, even where the machine's clock does. */
  readonly newest: number;
}

export interface RecordRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: Position;
  /** Not included. */
  readonly to: Position;
  readonly maxRecords: number;
}

/** @throws {PermanentError} where the topic has no such partition. */
export function find(partitions: readonly Partition[], topic: string, partition: number): Partition {
  const found = partitions[partition];
  if (!found) throw new PermanentError(`The topic ${topic} has no partition ${partition}.`);
  return found;
}
