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
      // Three brokers with users and rights.
      'Java with Maven': fromRegistry,
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
