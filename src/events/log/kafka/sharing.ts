import kafkajs from 'kafkajs';

/*
 * What the members of a group tell each other, which Kafka itself does not read: `Subscription` and `Assignment` of its
 * "Consumer Embedded Protocol", in the layout of version 0 that kafkajs publishes as `AssignerProtocol`. The partitions
 * that a member holds stand in its user data, since that layout has no field for them (KIP-429 is of version 1).
 */

/** A member of a group as its leader sees it. */
export interface GroupMember {
  readonly id: string;
  readonly topics: readonly string[];
  /** The partition numbers that it holds so far. */
  readonly held: readonly number[];
}

/** Partitions by topic. */
export type Share = ReadonlyMap<string, readonly number[]>;

/** All members of a group must share in the same way: Kafka refuses a member that would do it otherwise. */
export const PROTOCOL = 'catalog-by-number';

/**
 * Shares the partitions out: all of one number together, because the same key has the same number in every topic, and
 * lanes that share documents belong in one process. No member has more than one number more than another one, and a
 * member keeps what it holds as far as that allows. The same input gives the same shares.
 * @param counts how many partitions each topic has.
 */
export function shareOut(
  members: readonly GroupMember[],
  counts: ReadonlyMap<string, number>,
): ReadonlyMap<string, Share> {
  const sorted = members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const owners = numberOwners(sorted, Math.max(0, ...counts.values()));
  const shares = new Map(sorted.map(({ id }) => [id, new Map<string, number[]>()]));
  for (const [topic, count] of counts) {
    // While releases change, some members may not read a topic yet.
    const readers = sorted.filter(({ topics }) => topics.includes(topic));
    if (readers.length === 0) continue;
    for (let partition = 0; partition < count; partition += 1) {
      const owner = readers.find(({ id }) => id === owners[partition]) ?? readers[partition % readers.length];
      const share = owner && shares.get(owner.id);
      share?.set(topic, [...(share.get(topic) ?? []), partition]);
    }
  }
  return shares;
}

/** The owner of each number. */
function numberOwners(members: readonly GroupMember[], count: number): readonly string[] {
  if (members.length === 0) return [];
  const least = Math.floor(count / members.length);
  let larger = count % members.length;
  const owners = new Map<number, string>();
  const loads = new Map(members.map(({ id }) => [id, 0]));
  // The members that hold the most keep one more than the others, where the numbers do not come out even.
  for (const { id, held } of members.toSorted((a, b) => b.held.length - a.held.length)) {
    const own = [...new Set(held)]
      .filter((number) => number < count && !owners.has(number))
      .toSorted((a, b) => a - b);
    const quota = own.length > least && larger > 0 ? least + 1 : least;
    if (quota > least) larger -= 1;
    for (const number of own.slice(0, quota)) owners.set(number, id);
    loads.set(id, Math.min(own.length, quota));
  }
  for (let number = 0; number < count; number += 1) {
    if (owners.has(number)) continue;
    const [id] = [...loads].reduce((lightest, load) => (load[1] < lightest[1] ? load : lightest));
    owners.set(number, id);
    loads.set(id, (loads.get(id) ?? 0) + 1);
  }
  return Array.from({ length: count }, (_, number) => owners.get(number) ?? '');
}

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
