import { RetryableError } from '../../../platform/errors.ts';
import type { PartitionEnds } from '../port.ts';
import type { PartitionLeader } from './cluster-client.ts';
import { type FullBroker, vendorError } from './kafkajs-internals.ts';

/** Every record that all replicas in step have: the high watermark is the end. */
const READ_UNCOMMITTED = 0;
/** Records of open and of aborted transactions are not read: the first open one is the end. */
export const READ_COMMITTED = 1;
const EARLIEST = -2;
const LATEST = -1;

/**
 * The ends of a topic's partitions, in their order: three questions for each broker that leads some of them.
 * @throws {RetryableError} where one of them has no leader, or a broker does not know of it.
 */
export async function endsOf(
  topic: string,
  partitions: readonly PartitionLeader[],
  brokerOf: (nodeId: number) => Promise<FullBroker>,
): Promise<readonly PartitionEnds[]> {
  const led = Map.groupBy(partitions, ({ partition, leader }) => {
    if (leader === null) throw leaderless(topic, partition);
    return leader;
  });
  const offsets = async (
    timestamp: number,
    isolationLevel: number,
  ): Promise<(partition: number) => number> => {
    const answers = await Promise.all(
      [...led].map(async ([nodeId, asked]) => {
        const parts = asked.map(({ partition }) => ({ partition, timestamp }));
        return (await brokerOf(nodeId)).listOffsets({
          isolationLevel,
          topics: [{ topic, partitions: parts }],
        });
      }),
    );
    const listed = answers.flatMap(({ responses }) => responses.flatMap((found) => found.partitions));
    const known = new Map(listed.map(({ partition, offset }) => [partition, Number(offset)]));
    return (partition) => {
      const offset = known.get(partition) ?? -1;
      if (offset < 0) throw leaderless(topic, partition);
      return offset;
    };
  };
  // The end first: what is appended before the next answer is then no record that a transaction keeps back.
  const latestOf = await offsets(LATEST, READ_UNCOMMITTED);
  const [earliestOf, readableOf] = await Promise.all([
    offsets(EARLIEST, READ_COMMITTED),
    offsets(LATEST, READ_COMMITTED),
  ]);
  return partitions.map(({ partition }) => {
    const earliest = earliestOf(partition);
    const readable = Math.max(earliest, readableOf(partition));
    // What can be read is there, and so is what was cut in between.
    const latest = Math.max(readable, latestOf(partition));
    return { partition, earliest, latest, ...(readable < latest ? { readable } : {}) };
  });
}

function leaderless(topic: string, partition: number): RetryableError {
  const cause = vendorError('LEADER_NOT_AVAILABLE', 'no leader');
  return new RetryableError(`${topic}/${partition} has no leader at the moment.`, { cause });
}
