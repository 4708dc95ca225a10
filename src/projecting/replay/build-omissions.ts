import type { LogRecord, PartitionId, PositionRange } from '../../events/log/port.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { incarnationsOf } from '../builds/carry-parked-to-build.ts';
import { laneName, partitionName } from '../engine/lane.ts';
import { everyParked } from '../engine/parked-queries.ts';
import { parkedId } from '../engine/parking.ts';

/** What a build has left out of its documents: parked for the time being, or discarded for good. */
export interface Omissions {
  leavesOut(record: Pick<LogRecord, 'topic' | 'partition' | 'position' | 'timestamp'>): boolean;
  /** Positions that could not be read when their turn came, each range once; also those that were redriven since. */
  rangesOf(partition: PartitionId): readonly ParkedRange[];
}

export interface ParkedRange extends Omit<PositionRange, keyof PartitionId> {
  readonly isRedriven: boolean;
}

export const NONE: Omissions = { leavesOut: () => false, rangesOf: () => [] };

export async function omissionsOf(documents: Documents, build: string): Promise<Omissions> {
  const single = new Set<string>();
  const ranges = new Map<string, ParkedRange[]>();
  const incarnations = await incarnationsOf(documents, build);
  for await (const page of everyParked(documents, build))
    for (const { id, body } of page) {
      const { position, to, timestamp, state } = body;
      // A log that is accepted in the place of another one is folded from its start, and parks anew.
      if (id !== parkedId(body, incarnations.get(laneName(body)) ?? 0, position, to)) continue;
      const place = partitionName(body);
      if (to === undefined) {
        // Until such a log is accepted, the time tells that another record stands at the position.
        single.add(`${place}/${position} ${timestamp}`);
      } else {
        const range = { from: position, to, isRedriven: state === 'redriven' };
        ranges.set(place, [...(ranges.get(place) ?? []), range]);
      }
    }
  const rangesOf = (partition: PartitionId): readonly ParkedRange[] =>
    ranges.get(partitionName(partition)) ?? [];
  return {
    leavesOut: (record) =>
      single.has(`${partitionName(record)}/${record.position} ${record.timestamp}`) ||
      rangesOf(record).some((range) => !range.isRedriven && isWithin(range, record)),
    rangesOf,
  };
}

/** Whether a record stands in a range of its partition. */
export function isWithin({ from, to }: ParkedRange, { position }: Pick<LogRecord, 'position'>): boolean {
  return from <= position && position < to;
}
