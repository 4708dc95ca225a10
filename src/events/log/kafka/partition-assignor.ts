import kafkajs from 'kafkajs';

/** A member of a group as its leader sees it. */
export interface GroupMember {
  readonly id: string;
  readonly topics: readonly string[];
}

/** Partitions by topic. */
export type MemberPartitions = ReadonlyMap<string, readonly number[]>;

/** All members of a group must share in the same way: Kafka refuses a member that would do it otherwise. */
export const PROTOCOL = 'catalog-by-number';

/**
 * Shares the partitions out, in turn: all of one number together, because the same key has the same number in every
 * topic, and lanes that share documents belong in one process. The same members get the same shares.
 * @param counts how many partitions each topic has.
 */
export function assignPartitions(
  members: readonly GroupMember[],
  counts: ReadonlyMap<string, number>,
): ReadonlyMap<string, MemberPartitions> {
  const sorted = members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const shares = new Map(sorted.map(({ id }) => [id, new Map<string, number[]>()]));
  for (const [topic, count] of counts) {
    // While releases change, some members may not read a topic yet.
    const readers = sorted.filter(({ topics }) => topics.includes(topic));
    for (let number = 0; number < count; number += 1) {
      const share = shares.get(readers[number % readers.length]?.id ?? '');
      share?.set(topic, [...(share.get(topic) ?? []), number]);
    }
  }
  return shares;
}

/*
 * What the members of a group tell each other: `Subscription` and `Assignment` of Kafka's "Consumer Embedded Protocol", in
 * the layout of version 0 that kafkajs publishes as `AssignerProtocol`. Kafka's own tools show it.
 */

const VERSION = 1;
const userData = Buffer.alloc(0);

/** What a member tells when it joins. */
export function encodeMember(topics: readonly string[]): Buffer {
  return kafkajs.AssignerProtocol.MemberMetadata.encode({ version: VERSION, topics: [...topics], userData });
}

export function decodeMember(id: string, metadata: Buffer): GroupMember {
  return { id, topics: kafkajs.AssignerProtocol.MemberMetadata.decode(metadata)?.topics ?? [] };
}

export function encodeShare(share: MemberPartitions): Buffer {
  const assignment = Object.fromEntries([...share].map(([topic, partitions]) => [topic, [...partitions]]));
  return kafkajs.AssignerProtocol.MemberAssignment.encode({ version: VERSION, assignment, userData });
}

/** `TOPIC/PARTITION` of everything in a share. */
export function decodeShare(bytes: Buffer): ReadonlySet<string> {
  const assignment =
    bytes.length === 0 ? {} : (kafkajs.AssignerProtocol.MemberAssignment.decode(bytes)?.assignment ?? {});
  return new Set(
    Object.entries(assignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => `${topic}/${partition}`),
    ),
  );
}
