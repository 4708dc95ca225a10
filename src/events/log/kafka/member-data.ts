import kafkajs from 'kafkajs';

import type { GroupMember, Share } from './sharing.ts';

/*
 * What the members of a group tell each other, which Kafka itself does not read: `Subscription` and `Assignment` of its
 * "Consumer Embedded Protocol", in the layout of version 0 that kafkajs publishes as `AssignerProtocol`. The partitions
 * that a member holds stand in its user data, since that layout has no field for them (KIP-429 is of version 1).
 */

const VERSION = 1;

/** What a member tells when it joins. */
export function encodeMember({ topics, held }: Omit<GroupMember, 'id'>): Buffer {
  return kafkajs.AssignerProtocol.MemberMetadata.encode({
    version: VERSION,
    topics: [...topics],
    userData: Buffer.from(JSON.stringify(held)),
  });
}

export function decodeMember(id: string, metadata: Buffer): GroupMember {
  const { topics = [], userData } = kafkajs.AssignerProtocol.MemberMetadata.decode(metadata) ?? {};
  return { id, topics, held: numbersIn(userData) };
}

function numbersIn(userData: Buffer | undefined): readonly number[] {
  try {
    const held: unknown = JSON.parse(userData?.toString('utf8') ?? '[]');
    return Array.isArray(held) ? held.filter((number) => Number.isSafeInteger(number)) : [];
  } catch {
    // A hint, and nothing depends on it but how much changes hands.
    return [];
  }
}

export function encodeShare(share: Share): Buffer {
  const assignment = Object.fromEntries([...share].map(([topic, partitions]) => [topic, [...partitions]]));
  return kafkajs.AssignerProtocol.MemberAssignment.encode({
    version: VERSION,
    assignment,
    userData: Buffer.alloc(0),
  });
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
