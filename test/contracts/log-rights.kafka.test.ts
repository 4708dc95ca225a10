import { beforeAll, describe, expect, inject, test } from 'vitest';

import type { KafkaAddress } from '../../src/events/log/kafka/address.ts';
import { REJECTED, TOPICS } from '../../src/events/event-types.ts';
import { PermanentError } from '../../src/platform/errors.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { passwordOf, type KafkaUser } from '../support/services/kafka-users.ts';
import { eventually, readTopic, textRecord } from '../support/log-fixture.ts';
import { kafkaAddress, openKafka, settling } from '../support/kafka-log.ts';
import { grantAsDeployed } from '../support/kafka-rights.ts';

/** A Kafka that knows its users, with the rights that docs/guides/deploy.md gives them, and no others. */

const kafka = inject('services')['kafka'];
/** Another Kafka may take anybody. */
const knowsUsers = kafka !== undefined && kafka.url !== null && kafka.from === 'registry';

describe.runIf(knowsUsers)('the rights that the deploy guide gives', () => {
  beforeAll(() => grantAsDeployed());

  function as(username: KafkaUser): KafkaAddress {
    const sasl = { mechanism: 'scram-sha-512', username, password: passwordOf(username) } as const;
    return { ...kafkaAddress(), sasl };
  }

  test('are enough for the operator to make the topics and compare them, and nobody else may make one', async () => {
    const extra = [{ name: 'catalog.extra', partitions: 1, retentionMs: null }];
    await expect(openKafka({}, as('project')).ensureTopics(extra)).rejects.toThrow(PermanentError);
    const log = openKafka({}, as('operator'));
    await log.ensureTopics(TOPICS);
    for (const { name, partitions } of TOPICS)
      expect(await log.topicSettings(name)).toMatchObject({ partitions, remarks: [] });
  });

  test('are enough for a projector: it finds the topics, joins its groups, reads, and says what it rejects', async () => {
    const log = openKafka({}, as('project'));
    const publisher = openKafka({}, as('operator'));
    await log.ensureTopics(TOPICS);
    const topics = TOPICS.map(({ name }) => name).filter((name) => name !== REJECTED);
    await publisher.append(topics.map((topic) => textRecord(topic, 'key', 'one')));
    for (const projection of PROJECTIONS) {
      const assigned = new Set<string>();
      await using _ = await log.subscribe(`${collectionOf(projection)}.k3v9x2ab`, projection.topics, {
        assigned: ({ topic, partition }) => assigned.add(`${topic}/${partition}`),
        revoked: () => undefined,
      });
      await eventually(settling, () => expect(assigned.size).toBe(6 * projection.topics.length));
    }
    for (const topic of topics) expect(await readTopic(log, topic)).toHaveLength(1);
    await log.append([textRecord(REJECTED, '/a-source', 'no')]);
  });

  test('do not let a projector publish, nor a publisher read, nor a stranger see anything', async () => {
    const [entries = ''] = TOPICS.map(({ name }) => name);
    const nothing = textRecord(entries, 'key', 'one');
    await expect(openKafka({}, as('project')).append([nothing])).rejects.toThrow(PermanentError);
    const publisher = openKafka({}, as('publisher'));
    await expect(publisher.append([nothing])).resolves.toHaveLength(1);
    await expect(openKafka({}, as('stranger')).ends(entries)).rejects.toThrow(PermanentError);
  });
});
