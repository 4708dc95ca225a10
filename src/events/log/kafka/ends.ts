import { RetryableError } from '../../../platform/errors.ts';
import type { PartitionEnds } from '../port.ts';
import { named } from './broker-answers.ts';
import type { FullBroker } from './full-broker.ts';

/** A partition whose ends are asked for. */
export interface LedPart {
  readonly topic: string;
  readonly partition: number;
  /** The broker's id; null while the partition has no leader. */
  readonly leader: number | null;
}

/** Every record that all replicas in step have: the high watermark is the end. */
const READ_UNCOMMITTED = 0;
/** Records of open and of aborted transactions are not read: the first open one is the end. */
export const READ_COMMITTED = 1;
const EARLIEST = -2;
const LATEST = -1;

type BrokerOf = (nodeId: number) => Promise<FullBroker>;

/**
 * The ends of these partitions, by topic, in their order: three questions for each broker that leads some of them.
 * @throws {RetryableError} where one of them has no leader, or a broker does not know of it.
 */
export async function endsOf(
  parts: readonly LedPart[],
  brokerOf: BrokerOf,
): Promise<ReadonlyMap<string, readonly PartitionEnds[]>> {
  const led = Map.groupBy(parts, ({ topic, partition, leader }) => {
    if (leader === null) throw leaderless(topic, partition);
    return leader;
  });
  // The end first: what is appended before the next answer is then no record that a transaction keeps back.
  const latestOf = await offsets(led, brokerOf, LATEST, READ_UNCOMMITTED);
  const [earliestOf, readableOf] = await Promise.all([
    offsets(led, brokerOf, EARLIEST, READ_COMMITTED),
    offsets(led, brokerOf, LATEST, READ_COMMITTED),
  ]);
  const ends = new Map<string, PartitionEnds[]>();
  for (const part of parts) {
    const { topic, partition } = part;
    const earliest = earliestOf(part);
    const readable = Math.max(earliest, readableOf(part));
    // What can be read is there, and so is what was cut in between.
    const latest = Math.max(readable, latestOf(part));
    const found = { partition, earliest, latest, ...(readable < latest ? { readable } : {}) };
    ends.set(topic, [...(ends.get(topic) ?? []), found]);
  }
  return ends;
}

async function offsets(
  led: ReadonlyMap<number, readonly LedPart[]>,
  brokerOf: BrokerOf,
  timestamp: number,
  isolationLevel: number,
): Promise<(part: LedPart) => number> {
  const answers = await Promise.all(
    [...led].map(async ([nodeId, parts]) => {
      const topics = [...Map.groupBy(parts, ({ topic }) => topic)].map(([topic, asked]) => ({
        topic,
        partitions: asked.map(({ partition }) => ({ partition, timestamp })),
      }));
      return (await brokerOf(nodeId)).listOffsets({ isolationLevel, topics });
    }),
  );
  const known = new Map<string, number>();
  for (const { topic, partitions } of answers.flatMap(({ responses }) => responses))
    for (const { partition, offset } of partitions) known.set(`${topic}/${partition}`, Number(offset));
  return ({ topic, partition }) => {
    const offset = known.get(`${topic}/${partition}`) ?? -1;
    if (offset < 0) throw leaderless(topic, partition);
    return offset;
  };
}

function leaderless(topic: string, partition: number): RetryableError {
  const cause = named('LEADER_NOT_AVAILABLE', 'no leader');
  return new RetryableError(`${topic}/${partition} has no leader at the moment.`, { cause });
}
