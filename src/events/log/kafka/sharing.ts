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
