import { partitionOf } from '../partition.ts';
import type { NewRecord, Place, Position } from '../port.ts';
import type { Partition } from './file.ts';
import { SPAN, type Statements } from './statements.ts';

/** Appends records behind the ends of their partitions. Part of a transaction. */
export function appendRecords(
  sql: Statements,
  partitionsOf: (topic: string) => readonly Partition[],
  records: readonly NewRecord[],
  now: number,
): readonly Place[] {
  const topics = new Map<string, Tail[]>();
  const places = records.map(({ topic, key, value, headers }) => {
    let tails = topics.get(topic);
    if (!tails) topics.set(topic, (tails = partitionsOf(topic).map((partition) => tailOf(partition, now))));
    const tail = tails[partitionOf(key, tails.length)] as Tail;
    const position = tail.latest;
    const told = Object.keys(headers).length === 0 ? null : JSON.stringify(headers);
    sql.insert.run(tail.id * SPAN + position, key, value, told, tail.timestamp);
    tail.latest += 1;
    return { topic, partition: tail.partition, position };
  });
  for (const tail of [...topics.values()].flat()) {
    if (tail.latest > tail.before) sql.advance.run(tail.latest, tail.timestamp, tail.id);
  }
  return places;
}

/** A partition's end while records are appended to it. */
interface Tail {
  readonly id: number;
  readonly partition: number;
  readonly before: Position;
  readonly timestamp: number;
  latest: Position;
}

function tailOf({ id, partition, latest, newest }: Partition, now: number): Tail {
  return { id, partition, before: latest, latest, timestamp: Math.max(now, newest) };
}
