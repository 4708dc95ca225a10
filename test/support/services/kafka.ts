import { GenericContainer, getContainerRuntimeClient } from 'testcontainers';

import { freePorts } from '../free-ports.ts';
import { canStartCluster, KAFKA_VERSION, startCluster } from './kafka-cluster.ts';
import { fromEnvironment, startFirst, type RunningService, type Service } from './service.ts';

const urlVariable = 'TEST_KAFKA_URL';
const image = `apache/kafka:${KAFKA_VERSION}`;

export const kafka: Service = {
  name: 'kafka',
  urlVariable,
  image,
  isRequired: true,
  start: () =>
    startFirst({
      // Kafka's protocol does not say which version speaks it.
      [urlVariable]: fromEnvironment(urlVariable, async () => 'of an unknown version'),
      // Three brokers with users and rights; the container is one that takes anybody.
      'Java with Maven': fromRegistry,
      Docker: fromDocker,
    }),
};

async function fromRegistry(): Promise<RunningService | null> {
  if (!(await canStartCluster())) return null;
  const cluster = await startCluster(3);
  return {
    url: cluster.url(),
    version: `${KAFKA_VERSION}, 3 brokers, TLS, SCRAM-SHA-512`,
    from: 'registry',
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/** A broker tells its clients where it is, so the port outside must be known before it starts. */
async function fromDocker(): Promise<RunningService | null> {
  const hasEngine = await getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
  if (!hasEngine) return null;
  const [port = 0] = await freePorts(1);
  const container = await new GenericContainer(image)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_LOG_CLEANER_BACKOFF_MS: '200',
      KAFKA_LOG_INITIAL_TASK_DELAY_MS: '500',
    })
    .start();
  return {
    url: `kafka://127.0.0.1:${port}`,
    version: KAFKA_VERSION,
    from: 'docker',
    [Symbol.asyncDispose]: async () => {
      await container.stop();
    },
  };
}
