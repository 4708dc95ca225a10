import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import kafkajs, { type AclEntry } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { KafkaAddress } from '../../src/events/log/kafka/address.ts';
import { REJECTED, TOPICS } from '../../src/events/topics.ts';
import { PermanentError } from '../../src/platform/errors.ts';
import { collectionOf } from '../../src/projecting/projection.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { startBroker, type KafkaBroker } from '../support/services/kafka-broker.ts';
import { eventually, readTopic, textRecord } from '../support/log-fixture.ts';
import { kafkaAddress, openKafka, settling } from '../support/kafka-log.ts';

/** A broker that knows its users, with the rights that docs/guides/deploy.md gives them, and no others. */

const kafka = inject('services')['kafka'];
const canStartOwn = kafka !== undefined && kafka.url !== null && kafka.from === 'registry';

const USERS = ['admin', 'project', 'operator', 'publisher', 'stranger'];

const SETTINGS = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  // The controller speaks to itself without a name.
  'super.users': 'User:admin;User:ANONYMOUS',
  'listener.security.protocol.map': 'PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
  'sasl.enabled.mechanisms': 'PLAIN',
  'sasl.mechanism.inter.broker.protocol': 'PLAIN',
  'listener.name.plaintext.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required username="admin" password="of-admin" ${USERS.map((user) => `user_${user}="of-${user}"`).join(' ')};`,
};

describe.runIf(canStartOwn)('the rights that the deploy guide gives', () => {
  let broker: KafkaBroker;
  beforeAll(async () => {
    broker = await startBroker(SETTINGS);
    const admin = new kafkajs.Kafka({
      brokers: [...as('admin').brokers],
      sasl: { mechanism: 'plain', username: 'admin', password: 'of-admin' },
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin();
    await admin.connect();
    await admin.createAcls({ acl: [...aclsOf('docs/guides/deploy.md')] });
    await admin.disconnect();
  });
  afterAll(() => broker[Symbol.asyncDispose]());

  function as(user: string): KafkaAddress {
    const sasl = { mechanism: 'plain', username: user, password: `of-${user}` } as const;
    return { ...kafkaAddress(broker.url), sasl };
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
      await using _ = await log.subscribe(collectionOf(projection), projection.topics, {
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

/** What the `kafka-acls.sh` commands of a page would make. */
function aclsOf(page: string): readonly AclEntry[] {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const commands = [...text.matchAll(/^\$acls (.+)$/gm)].map(([, args]) => String(args).split(' '));
  return commands.flatMap((args) => {
    const given = (option: string): readonly string[] =>
      args.flatMap((arg, at) => (arg === option ? [String(args[at + 1])] : []));
    const named = [
      ...given('--topic').map((name) => ({ name, type: kafkajs.AclResourceTypes.TOPIC })),
      ...given('--group').map((name) => ({ name, type: kafkajs.AclResourceTypes.GROUP })),
    ];
    const isPrefix = given('--resource-pattern-type').includes('prefixed');
    return given('--operation').flatMap((operation) =>
      named.map(({ name, type }) => ({
        resourceType: type,
        resourceName: name,
        resourcePatternType: isPrefix
          ? kafkajs.ResourcePatternTypes.PREFIXED
          : kafkajs.ResourcePatternTypes.LITERAL,
        principal: String(given('--allow-principal')[0]),
        host: '*',
        operation: OPERATIONS[operation] ?? Number.NaN,
        permissionType: kafkajs.AclPermissionTypes.ALLOW,
      })),
    );
  });
}

const OPERATIONS: Readonly<Record<string, number>> = {
  Create: kafkajs.AclOperationTypes.CREATE,
  DescribeConfigs: kafkajs.AclOperationTypes.DESCRIBE_CONFIGS,
  Read: kafkajs.AclOperationTypes.READ,
  Write: kafkajs.AclOperationTypes.WRITE,
};
