import { beforeAll, describe, expect, inject, test } from 'vitest';

import { type KafkaClient, connectClient } from '../../src/events/log/kafka/cluster-client.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { startLogChild } from '../support/log-child.ts';
import { startCluster, type KafkaCluster } from '../support/services/kafka-cluster.ts';
import {
  eventually,
  fetchRecords,
  FOR_EVER_MS,
  freshName,
  freshTopic,
  join,
  numbered,
  onlyAssignment,
  readTopic,
  textOf,
  textRecord,
  turns,
} from '../support/log-fixture.ts';
import { createRoad, kafkaAddress, kafkaOpener, openKafka, settling } from '../support/kafka-log.ts';

/** Brokers that die, clients that die without a word, roads that are cut. */

const kafka = inject('services')['kafka'];
const canStartOwn = kafka !== undefined && kafka.url !== null && kafka.from === 'registry';

test('a group whose coordinator falls silent is joined again with another client', async () => {
  let groups = 0;
  const connect: typeof connectClient = async (options) => {
    const client = await connectClient(options);
    let isFirst = false;
    const coordinator: KafkaClient['coordinator'] = async (group) => {
      if (!isFirst) groups += 1;
      isFirst ||= groups === 1;
      const broker = await client.coordinator(group);
      const heartbeat = { value: () => new Promise(() => undefined) };
      return isFirst && groups === 1 ? (Object.create(broker, { heartbeat }) as typeof broker) : broker;
    };
    return { ...client, coordinator, [Symbol.dispose]: () => client[Symbol.dispose]() };
  };
  const log = openKafka({ connect, requestMs: 3000 });
  const topic = await freshTopic(openKafka());
  const member = await join(log, freshName(), [topic]);
  await eventually(settling, () => expect(groups).toBeGreaterThan(1));
  await eventually(settling, () => expect(member.held.size).toBe(1));
});

describe('members', () => {
  test('a process that was silent for too long is replaced, and lets go when it wakes', async () => {
    const log = openKafka();
    const topic = await freshTopic(log, 2);
    const group = freshName();
    const child = await startLogChild(kafkaOpener());
    await child.subscribe(group, [topic]);
    await eventually(settling, () => expect(child.held.size).toBe(2));
    await child.signal('SIGSTOP');
    const member = await join(log, group, [topic]);
    await eventually(settling, () => expect(member.held.size).toBe(2));
    await child.signal('SIGCONT');
    await eventually(settling, () => expect(child.lost.toSorted()).toEqual([`${topic}/0`, `${topic}/1`]));
    await eventually(settling, () => {
      const held = [...child.held, ...member.held.keys()];
      expect(held.toSorted()).toEqual([`${topic}/0`, `${topic}/1`]);
    });
  });

  test('a batch that takes longer than a session costs no membership', async () => {
    const log = openKafka({ sessionMs: 6000 });
    const topic = await freshTopic(log);
    const member = await join(log, freshName(), [topic]);
    await eventually(settling, () => expect(member.held.size).toBe(1));
    // Nobody fetches for longer than a session; only the heartbeats go on.
    const idle = openKafka();
    await (await onlyAssignment(settling, idle, topic)).fetch(0, { maxRecords: 1, maxWaitMs: 7000 });
    expect(member.lost).toEqual([]);
  });
});

describe('a road that is cut', () => {
  test('is tried once a second at most and broker, by all together', async () => {
    const road = createRoad();
    const log = openKafka({ socket: road.socket });
    const topics = [await freshTopic(log), await freshTopic(log)];
    const members = [await join(log, freshName(), topics), await join(log, freshName(), topics)];
    await eventually(settling, () => expect(members.map(({ held }) => held.size)).toEqual([2, 2]));
    {
      using _ = road.cut();
      const assignments = members.flatMap(({ held }) => [...held.values()]);
      const ask = async (): Promise<void> => {
        const fetches = assignments.map((assignment) =>
          assignment.fetch(0, { maxRecords: 1, maxWaitMs: 100 }),
        );
        await Promise.allSettled([...fetches, log.ends(topics[0] ?? '')]);
      };
      // Each client tries the brokers that it had a connection to, then lets go of them.
      for (const cut = Date.now(); Date.now() - cut < 1000;) await ask();
      const before = road.opened();
      const started = Date.now();
      while (Date.now() - started < 4000) await ask();
      const rounds = 1 + (Date.now() - started) / 1000;
      expect(road.opened() - before).toBeLessThanOrEqual(kafkaAddress().brokers.length * rounds);
    }
    await eventually(settling, () => log.append([textRecord(topics[0] ?? '', 'k', 'healed')]));
  });
});

describe.skipIf(!canStartOwn)('a broker of its own', () => {
  let cluster: KafkaCluster;
  beforeAll(async () => {
    cluster = await startCluster(1);
    return () => cluster[Symbol.asyncDispose]();
  });

  test('is killed, and comes back: nothing acknowledged is lost, and reading goes on by itself', async () => {
    const log = openKafka({}, kafkaAddress(cluster.url()));
    const topic = await freshTopic(log);
    const assignment = await onlyAssignment(settling, log, topic);
    await log.append(numbered(topic, 100));
    expect(await fetchRecords(assignment, 0, 100)).toHaveLength(100);
    const waiting = assignment
      .fetch(100, { maxRecords: 1, maxWaitMs: FOR_EVER_MS })
      .catch((reason: unknown) => reason);
    await turns();
    await cluster.nodes[0]?.crash();
    expect(await waiting).toBeInstanceOf(RetryableError);
    await expect(log.append(numbered(topic, 1))).rejects.toThrow(RetryableError);
    await cluster.nodes[0]?.restart();
    await eventually(settling, () => log.append([textRecord(topic, 'key', 'after')]));
    expect((await readTopic(log, topic)).map(textOf).slice(0, 100)).toEqual(
      Array.from({ length: 100 }, (_, index) => String(index)),
    );
    const member = await onlyAssignment(settling, log, topic);
    await eventually(settling, async () => {
      for (const held of [assignment, member]) {
        if (held.signal.aborted) continue;
        const { records } = await held.fetch(100, { maxRecords: 10, maxWaitMs: 1000 });
        expect(records.map(textOf)).toContain('after');
      }
    });
  });
});

describe.runIf(kafka?.url)('a client that is closed', () => {
  test('looks for the broker of a group no more: nothing of it keeps its process alive', async () => {
    const client = await connectClient({ address: kafkaAddress(), requestMs: 3000 });
    client[Symbol.dispose]();
    await expect(client.coordinator(freshName())).rejects.toThrow();
  });
});
