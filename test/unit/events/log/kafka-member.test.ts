import { expect, onTestFinished, test, vi } from 'vitest';

import { createBackoff } from '../../../../src/events/log/kafka/connect-backoff.ts';
import { ReconnectingClient } from '../../../../src/events/log/kafka/reconnecting-client.ts';
import type { KafkaClient, PartitionLeader } from '../../../../src/events/log/kafka/cluster-client.ts';
import type { FullBroker } from '../../../../src/events/log/kafka/kafkajs-internals.ts';
import { GroupMembership } from '../../../../src/events/log/kafka/group-membership.ts';
import { systemClock } from '../../../../src/platform/time/clock.ts';
import { scriptedClient } from '../../../support/scripted-kafka.ts';

/** The leader of a group looks for topics and partitions that are new. */

/** How many partitions there are by topic; changed by the tests. */
type Counts = Map<string, number>;

test('what is new is shared out', async () => {
  const counts: Counts = new Map([
    ['old', 1],
    ['later', 0],
  ]);
  const shares = await joinedAlone(counts);
  expect(shares.at(-1)).toEqual(['old/0']);

  counts.set('old', 3);
  await vi.waitFor(() => expect(shares.at(-1)).toEqual(['old/0', 'old/1', 'old/2']), { timeout: 20_000 });
  counts.set('later', 1);
  await vi.waitFor(() => expect(shares.at(-1)).toContain('later/0'), { timeout: 20_000 });
});

test('nothing is shared out again while nothing is new', async () => {
  let looks = 0;
  const shares = await joinedAlone(new Map([['old', 2]]), () => void (looks += 1));
  await vi.waitFor(() => expect(looks).toBeGreaterThan(5), { timeout: 20_000 });
  expect(shares).toEqual([['old/0', 'old/1']]);
});

test('a topic that a broker does not know for a moment keeps its partitions, and is given no fewer when the group forms again', async () => {
  const counts: Counts = new Map([
    ['old', 2],
    ['later', 0],
  ]);
  let looks = 0;
  const shares = await joinedAlone(counts, () => void (looks += 1));
  counts.set('old', 0);
  const before = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 3), { timeout: 20_000 });
  expect(shares).toEqual([['old/0', 'old/1']]);
  // A reason to form it again.
  counts.set('later', 1);
  await vi.waitFor(() => expect(shares.at(-1)).toEqual(['later/0', 'old/0', 'old/1']), { timeout: 20_000 });
});

/** A group of one member, which therefore leads it: what it was given, share by share. */
async function joinedAlone(
  counts: Counts,
  looked: () => void = () => undefined,
): Promise<readonly (readonly string[])[]> {
  const shares: (readonly string[])[] = [];
  const clock = systemClock;
  const connect = async (): Promise<KafkaClient> => ({
    ...scriptedClient({ batches: [] }),
    partitions: async (topic) => {
      looked();
      return leaders(counts.get(topic) ?? 0);
    },
    coordinator: async () => coordinator as FullBroker,
  });
  const member = new GroupMembership({
    group: 'g',
    topics: [...counts.keys()],
    groupClient: new ReconnectingClient({ connect, backoff: createBackoff(clock), clock }),
    clock,
    logger: undefined,
    sessionMs: 60_000,
    heartbeatMs: 2,
    lookMs: 5,
    requestMs: 60_000,
    given: (share) => shares.push([...share].toSorted()),
  });
  await member.join();
  onTestFinished(() => member.leave());
  return shares;
}

/** A coordinator that knows of one member. */
const coordinator: Partial<FullBroker> = {
  joinGroup: async ({ groupProtocols }: { groupProtocols: { metadata: Buffer }[] }) => ({
    generationId: 1,
    leaderId: 'only',
    memberId: 'only',
    members: groupProtocols.map(({ metadata }) => ({ memberId: 'only', memberMetadata: metadata })),
  }),
  syncGroup: async ({ groupAssignment }: { groupAssignment: { memberAssignment: Buffer }[] }) => ({
    memberAssignment: groupAssignment[0]?.memberAssignment ?? Buffer.alloc(0),
  }),
  heartbeat: async () => undefined,
  leaveGroup: async () => undefined,
};

function leaders(count: number): readonly PartitionLeader[] {
  return Array.from({ length: count }, (_, partition) => ({ partition, leader: 1, others: [] }));
}
