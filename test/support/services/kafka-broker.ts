import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cached, fetchJars, has, startJava, type JavaProcess } from './java.ts';

export const KAFKA_VERSION = '4.3.1';

/** A real Apache Kafka of one node on this machine, from the artifacts on Maven Central. */
export interface KafkaBroker extends AsyncDisposable {
  /** `kafka://HOST:PORT` */
  readonly url: string;
  /** SIGKILL: a crash. */
  crash(): Promise<void>;
  /** Starts again where it was: same ports, same data. */
  restart(): Promise<void>;
}

/** Whether this machine can run one. */
export function canStartBroker(): Promise<boolean> {
  return has('java', 'mvn');
}

/** Resolves once the broker answers. `settings` are added to those of its configuration. */
export async function startBroker(settings: Readonly<Record<string, string>> = {}): Promise<KafkaBroker> {
  const jars = await cached('kafka', [KAFKA_VERSION], (folder) => fetchJars(folder, ARTIFACTS));
  const folder = await mkdtemp(join(tmpdir(), 'catalog-kafka-'));
  const [port = 0, controllerPort = 0] = await freePorts(2);
  const properties = join(folder, 'server.properties');
  const config = { ...configuration(folder, port, controllerPort), ...settings };
  await writeFile(
    properties,
    Object.entries(config)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const java = ['-Djava.net.preferIPv4Stack=true', ...LOGGING, '-cp', join(jars, 'lib', '*')];
  const format = ['format', '--cluster-id', clusterId(), '--config', properties];
  const formatted = await startJava(
    ['-Xmx128m', ...java, 'kafka.tools.StorageTool', ...format],
    /Formatting/,
  );
  await formatted.gone;
  const start = (): Promise<JavaProcess> =>
    startJava(['-Xms128m', '-Xmx512m', ...java, 'kafka.Kafka', properties], /Kafka Server started/);
  let broker = await start();
  return {
    url: `kafka://127.0.0.1:${port}`,
    crash: async () => {
      broker.kill('SIGKILL');
      await broker.gone;
    },
    restart: async () => {
      broker = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await broker[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const ARTIFACTS = [
  { group: 'org.apache.kafka', name: 'kafka_2.13', version: KAFKA_VERSION },
  { group: 'org.slf4j', name: 'slf4j-simple', version: '1.7.36' },
];

const LOGGING = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
  // Says when it is ready.
  '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
];

function configuration(folder: string, port: number, controllerPort: number): Record<string, string> {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(folder, 'data'),
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    // Groups of one test need not wait for members that never come.
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    'auto.create.topics.enable': 'false',
    // After a crash the broker is let in again once its old session is over: 9 s by default.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    // A cleaner that looks often, for what compaction leaves behind.
    'log.cleaner.backoff.ms': '200',
    'log.initial.task.delay.ms': '500',
  };
}

/** Kafka's form of an id. One that begins with a dash would be taken for an option. */
function clusterId(): string {
  const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  return `C${id.slice(1)}`;
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
